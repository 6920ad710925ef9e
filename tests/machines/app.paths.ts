import { shopMachine } from '../../machines/shop.ts';
import { problems, rejections, route, store, type PathModel } from './model.ts';

const library = route({ flow: 'library', path: '/mylibrary', access: 'login' });
const list = route({ flow: 'catalogue', path: '/all', params: { type: 'all' } });

export const appModels: PathModel[] = [
  {
    name: 'app',
    machine: shopMachine,
    input: { layout: 'desktop', locale: 'en' },
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
        { route: route() },
        { route: library },
        { route: list },
        { route: { ...list, path: '/all?sort=title', query: { sort: 'title' } } },
        { route: route({ flow: 'signIn', path: '/signin?return=%2Fmylibrary', query: { return: '/mylibrary' } }) },
        { route: route({ flow: 'invalid', path: '/invalid' }) },
      ],
      'session.changed': [{ signedIn: true }, { signedIn: false }],
      'layout.changed': [{ layout: 'mobile' }],
      'language.chosen': [{ locale: 'fr' }],
      'language.changed': [{ locale: 'fr' }],
      'session.started': [{ userId: 'u1', pii: { email: 'reader@example.com' } }],
      go: [{ to: '/all', replace: false }],
      leave: [{ url: 'https://pay.example/1' }],
      'signIn.needed': [
        { action: 'pay', expired: false },
        { action: null, expired: true },
      ],
      'xstate.done.actor.boot': [{ output: { store } }, { output: { store: null } }],
      'xstate.error.actor.fetchFlow': rejections(problems.offline),
      'xstate.done.actor.categories': [{ output: [] }],
      'xstate.error.actor.categories': rejections(problems.offline),
    },
  },
];
