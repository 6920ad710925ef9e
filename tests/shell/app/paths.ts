import { usualAppearance } from '../../../machines/model/appearance.ts';
import { shopMachine } from '../../../machines/app/shop.ts';
import { problems, rejections, route, sessions, store, type PathModel } from '../../support/path-model.ts';
import { appWords } from './words.ts';
import { saying } from '../../support/words.ts';

const library = route({ flow: 'library', path: '/mylibrary', access: 'login' });
const list = route({ flow: 'catalogue', path: '/all', params: { type: 'all' } });

export const models: PathModel[] = [
  {
    name: 'app',
    machine: shopMachine,
    words: appWords,
    given: 'Open any address of the shop in a new browser profile, in English, in a wide window.',
    input: { layout: 'desktop', locale: 'en', appearance: usualAppearance, supportEmail: '' },
    perKind: 4,
    kind: ({ value, context, children }) => {
      const {
        route: at,
        signedIn,
        store: known,
        intent,
      } = context as unknown as {
        route: { path: string } | null;
        signedIn: boolean | null;
        store: unknown;
        intent: unknown;
      };
      return [JSON.stringify(value), at?.path ?? null, signedIn, known !== null, intent !== null, 'flow' in children];
    },
    cases: {
      'location.changed': [
        saying('/', { route: route() }),
        saying('/mylibrary', { route: library }),
        saying('/all', { route: list }),
        saying('/all?sort=title', { route: { ...list, path: '/all?sort=title', query: { sort: 'title' } } }),
        saying('/signin with a way back to /mylibrary', {
          route: route({ flow: 'signIn', path: '/signin?return=%2Fmylibrary', query: { return: '/mylibrary' } }),
        }),
        saying('/invalid', { route: route({ flow: 'invalid', path: '/invalid' }) }),
      ],
      'session.changed': sessions,
      'layout.changed': [{ layout: 'mobile' }],
      'language.changed': [{ locale: 'fr' }],
      'look.changed': [{ appearance: { ...usualAppearance, background: 'night' } }],
      'session.started': [{ userId: 'u1', pii: { email: 'reader@example.com' } }],
      go: [{ to: '/all', replace: false }],
      leave: [{ url: 'https://pay.example/1' }],
      'signIn.needed': [
        saying('a visitor presses Pay', { action: 'pay', expired: false }),
        saying('the server has answered with 401', { action: null, expired: true }),
      ],
      'xstate.done.actor.boot': [
        saying('of a store that is there', { output: { store } }),
        saying('there is no such store', { output: { store: null } }),
      ],
      'xstate.error.actor.fetchFlow': rejections(problems.offline),
      'xstate.done.actor.categories': [{ output: [] }],
      'xstate.error.actor.categories': rejections(problems.offline),
    },
  },
];
