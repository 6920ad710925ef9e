import { locationMachine } from '../../../machines/app/location.ts';
import { route, type PathModel } from '../../support/path-model.ts';
import { locationWords } from './words.ts';
import { saying } from '../../support/words.ts';

export const models: PathModel[] = [
  {
    name: 'location',
    machine: locationMachine,
    words: locationWords,
    given: 'Open any address of the shop.',
    cases: {
      'history.changed': [{ route: route() }],
      go: [
        saying('to /all, by a link', { to: '/all', replace: false }),
        saying('to /all, in place of this address', { to: '/all', replace: true }),
      ],
      leave: [{ url: 'https://pay.example/1' }],
    },
  },
];
