import { usualAppearance } from '../../../model/store/appearance.ts';
import { shopMachine } from '../../../app/shop.ts';
import { route, sessions, store, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { appDescription } from './descriptions.ts';
import { described } from '../../description.ts';

const list = route({ flow: 'catalogue', path: '/all', params: { type: 'all' } });

type Seen = {
  route: { path: string } | null;
  session: { userId: string | null } | null;
  store: unknown;
  hasFrame: boolean;
};

export const models: PathModel[] = [
  {
    name: 'app',
    machine: shopMachine,
    description: appDescription,
    given: 'Open any address of the shop in a new browser profile, in English, in a wide window.',
    input: { locale: 'en', appearance: usualAppearance, supportEmail: '' },
    perKind: 4,
    kind: ({ value, context }) => {
      const { route: at, session, store: known, hasFrame } = context as unknown as Seen;
      return [value as unknown, at?.path ?? null, session?.userId, known !== null, hasFrame];
    },
    cases: {
      'location.changed': [
        described('/', { route: route() }),
        described('/all', { route: list }),
        described('/invalid', { route: route({ flow: 'invalid', path: '/invalid' }) }),
      ],
      'session.changed': sessions,
      'language.changed': [described('French', { words: { locale: 'fr', store, categories: [] } })],
      'look.changed': [{ appearance: { ...usualAppearance, background: 'night' } }],
      'session.started': [{ userId: 'u1', pii: { email: 'reader@example.com' } }],
      go: [{ to: '/all', replace: false }],
      leave: [{ url: 'https://pay.example/1' }],
      'xstate.done.actor.boot': [
        described('of a store that is there', { output: { store } }),
        described(
          'there is no such store',
          { output: { store: null } },
          'Override `store/properties` with `<Error><StatusCode>404</StatusCode><Code>invalid_store</Code></Error>`',
        ),
      ],
      'categories.came': [{ categories: [] }],
      'session.refused': [described('', {}, preparations.spoilt)],
      'store.refused': [
        described(
          '',
          {},
          'Override `titles` with `<Error><StatusCode>404</StatusCode><Code>invalid_store</Code></Error>`, and open /all by a link',
        ),
      ],
    },
  },
];
