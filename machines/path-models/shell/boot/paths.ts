import { bootMachine } from '../../../app/boot.ts';
import { problems, toRejectionCases, store, type PathModel } from '../../path-model.ts';
import { bootDescription } from './descriptions.ts';

export const models: PathModel[] = [
  {
    name: 'boot',
    machine: bootMachine,
    description: bootDescription,
    startInstruction: 'Open any address of the shop.',
    cases: {
      'xstate.done.actor.storeProperties': [{ output: store }],
      'xstate.error.actor.storeProperties': toRejectionCases(problems.offline, problems.invalidStore),
    },
  },
];
