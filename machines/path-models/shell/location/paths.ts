import { locationMachine } from '../../../app/location.ts';
import { route, type PathModel } from '../../path-model.ts';
import { locationDescription } from './descriptions.ts';
import { described } from '../../description.ts';

export const models: PathModel[] = [
  {
    name: 'location',
    machine: locationMachine,
    description: locationDescription,
    given: 'Open any address of the shop.',
    cases: {
      'history.changed': [{ route: route() }],
      go: [
        described('to /all, by a link', { to: '/all', replace: false }),
        described('to /all, in place of this address', { to: '/all', replace: true }),
      ],
      leave: [{ url: 'https://pay.example/1' }],
    },
  },
];
