import { shopScreenMachine } from '../../../app/shop.ts';
import type { ScreenInput } from '../../../app/screen.ts';
import {
  problems,
  createRejectionCase,
  createRoute,
  sessionEndedCase,
  sessionCases,
  store,
  type PathModel,
} from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { describeCase } from '../../description.ts';
import { screenDescription } from './descriptions.ts';

const libraryRoute = createRoute({ flow: 'library', path: '/mylibrary', access: 'login' });
const listRoute = createRoute({ flow: 'catalogue', path: '/all', params: { type: 'all' } });

type ScreenContext = { route: { path: string }; userId: string | null; afterSignIn: unknown; action: unknown; ended: boolean };

export const models: PathModel[] = [
  {
    name: 'screen',
    machine: shopScreenMachine,
    description: screenDescription,
    startInstruction: 'As a visitor, open /.',
    input: { store, route: createRoute(), userId: null } satisfies ScreenInput,
    perKind: 4,
    kind: ({ value, context, children }) => {
      const { route: currentRoute, userId, afterSignIn, action, ended } = context as unknown as ScreenContext;
      return [value as unknown, currentRoute.path, userId, afterSignIn !== null, action, ended, 'flow' in children];
    },
    cases: {
      'location.changed': [
        describeCase('/', { route: createRoute() }),
        describeCase('/mylibrary', { route: libraryRoute }),
        describeCase('/all', { route: listRoute }),
        describeCase('/all?sort=title', { route: { ...listRoute, path: '/all?sort=title', query: { sort: 'title' } } }),
        describeCase('/signin with a way back to /mylibrary', {
          route: createRoute({ flow: 'signIn', path: '/signin?return=%2Fmylibrary', query: { return: '/mylibrary' } }),
        }),
        describeCase('/invalid', { route: createRoute({ flow: 'invalid', path: '/invalid' }) }),
      ],
      'session.changed': [...sessionCases, sessionEndedCase],
      'language.changed': [describeCase('French', { words: { store } })],
      'session.started': [{ userId: 'u1', pii: { email: 'reader@example.com' } }],
      go: [{ to: '/all', replace: false }],
      leave: [{ url: 'https://pay.example/1' }],
      'signIn.needed': [describeCase('a visitor presses Pay', { action: 'pay' })],
      'email.typed': [{ pii: { email: 'reader@example.com' } }],
      'action.started': [describeCase('a customer presses Pay', { action: 'pay' })],
      'xstate.error.actor.fetchFlow': [createRejectionCase(problems.offline, preparations.offline)],
    },
  },
];
