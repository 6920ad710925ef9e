import { locationMachine } from '../../../app/location.ts';
import { createRoute, type PathModel } from '../../path-model.ts';
import { locationDescription } from './descriptions.ts';
import { describeCase } from '../../description.ts';

export const models: PathModel[] = [
  {
    name: 'location',
    machine: locationMachine,
    description: locationDescription,
    startInstruction: 'Open any address of the shop.',
    cases: {
      'history.changed': [{ route: createRoute() }],
      go: [
        describeCase('to /all, by a link', { to: '/all', replace: false }),
        describeCase('to /all, in place of this address', { to: '/all', replace: true }),
      ],
      leave: [{ url: 'https://pay.example/1' }],
    },
  },
];
