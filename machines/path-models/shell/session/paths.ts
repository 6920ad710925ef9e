import { sessionMachine } from '../../../app/session.ts';
import { problems, createRejectionCase, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { sessionDescription } from './descriptions.ts';
import { describeCase } from '../../description.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };

export const models: PathModel[] = [
  {
    name: 'session',
    machine: sessionMachine,
    description: sessionDescription,
    startInstruction: 'Open any URL of the shop.',
    cases: {
      'xstate.done.actor.restoreSession': [
        describeCase('it holds a valid session', { output: customer }, 'Sign in; the test then starts with a reload of the page'),
        describeCase('it holds no session', { output: null }, 'Sign out, and reload'),
      ],
      'xstate.error.actor.restoreSession': [createRejectionCase(problems.offline, 'Sign in, block `user/validate`, and reload')],
      'session.started': [customer],
      'session.startedElsewhere': [customer],
      'session.refused': [describeCase('', {}, preparations.invalidToken)],
    },
  },
];
