import { sessionMachine } from '../../../machines/app/session.ts';
import { problems, rejections, type PathModel } from '../../support/path-model.ts';
import { sessionWords } from './words.ts';
import { saying } from '../../support/words.ts';

const customer = { userId: 'u1', pii: { email: 'reader@example.com' } };

export const models: PathModel[] = [
  {
    name: 'session',
    machine: sessionMachine,
    words: sessionWords,
    given: 'Open any address of the shop; for the stored session, sign in before and reload.',
    cases: {
      'xstate.done.actor.restoreSession': [
        saying('it holds a valid session', { output: customer }),
        saying('it holds none', { output: null }),
      ],
      'xstate.error.actor.restoreSession': rejections(problems.offline),
      'session.started': [customer],
      'session.startedElsewhere': [customer],
    },
  },
];
