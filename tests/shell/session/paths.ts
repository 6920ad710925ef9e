import { sessionMachine } from '../../../machines/app/session.ts';
import { problems, rejections, type PathModel } from '../../support/path-model.ts';
import { sessionDescription } from './descriptions.ts';
import { described } from '../../support/description.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };

export const models: PathModel[] = [
  {
    name: 'session',
    machine: sessionMachine,
    description: sessionDescription,
    given: 'Open any address of the shop; for the stored session, sign in before and reload.',
    cases: {
      'xstate.done.actor.restoreSession': [
        described('it holds a valid session', { output: customer }),
        described('it holds none', { output: null }),
      ],
      'xstate.error.actor.restoreSession': rejections(problems.offline),
      'session.started': [customer],
      'session.startedElsewhere': [customer],
    },
  },
];
