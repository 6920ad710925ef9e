import { shopScreenMachine } from '../../../app/shop.ts';
import type { ScreenInput } from '../../../app/screen.ts';
import { problems, rejected, route, sessionEnded, sessions, store, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { described } from '../../description.ts';
import { screenDescription } from './descriptions.ts';

const library = route({ flow: 'library', path: '/mylibrary', access: 'login' });
const list = route({ flow: 'catalogue', path: '/all', params: { type: 'all' } });

type Seen = { route: { path: string }; userId: string | null; afterSignIn: unknown; action: unknown; ended: boolean };

export const models: PathModel[] = [
  {
    name: 'screen',
    machine: shopScreenMachine,
    description: screenDescription,
    given: 'As a visitor, open /.',
    input: { store, route: route(), userId: null } satisfies ScreenInput,
    perKind: 4,
    kind: ({ value, context, children }) => {
      const { route: at, userId, afterSignIn, action, ended } = context as unknown as Seen;
      return [value as unknown, at.path, userId, afterSignIn !== null, action, ended, 'flow' in children];
    },
    cases: {
      'location.changed': [
        described('/', { route: route() }),
        described('/mylibrary', { route: library }),
        described('/all', { route: list }),
        described('/all?sort=title', { route: { ...list, path: '/all?sort=title', query: { sort: 'title' } } }),
        described('/signin with a way back to /mylibrary', {
          route: route({ flow: 'signIn', path: '/signin?return=%2Fmylibrary', query: { return: '/mylibrary' } }),
        }),
        described('/invalid', { route: route({ flow: 'invalid', path: '/invalid' }) }),
      ],
      'session.changed': [...sessions, sessionEnded],
      'language.changed': [described('French', { words: { store } })],
      'session.started': [{ userId: 'u1', pii: { email: 'reader@example.com' } }],
      go: [{ to: '/all', replace: false }],
      leave: [{ url: 'https://pay.example/1' }],
      'signIn.needed': [described('a visitor presses Pay', { action: 'pay' })],
      'email.typed': [{ pii: { email: 'reader@example.com' } }],
      'action.begun': [described('a customer presses Pay', { action: 'pay' })],
      'xstate.error.actor.fetchFlow': [rejected(problems.offline, preparations.offline)],
    },
  },
];
