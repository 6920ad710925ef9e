import { defaultAppearance } from '../../../model/store/appearance.ts';
import { shopMachine } from '../../../app/shop.ts';
import { createRoute, sessionCases, store, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { appDescription } from './descriptions.ts';
import { describeCase } from '../../description.ts';

const listRoute = createRoute({ flow: 'catalogue', path: '/all', params: { type: 'all' } });

type AppContext = {
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
    startInstruction: 'Open any URL of the shop in a new browser profile, in English, in a wide window.',
    input: { locale: 'en', appearance: defaultAppearance, supportEmail: '' },
    perKind: 4,
    kind: ({ value, context }) => {
      const { route: currentRoute, session, store: contextStore, hasFrame } = context as unknown as AppContext;
      return [value as unknown, currentRoute?.path ?? null, session?.userId, contextStore !== null, hasFrame];
    },
    cases: {
      'location.changed': [
        describeCase('/', { route: createRoute() }),
        describeCase('/all', { route: listRoute }),
        describeCase('/invalid', { route: createRoute({ flow: 'invalid', path: '/invalid' }) }),
      ],
      'session.changed': sessionCases,
      'language.changed': [describeCase('French', { words: { locale: 'fr', store, categories: [] } })],
      'look.changed': [{ appearance: { ...defaultAppearance, background: 'night' } }],
      'session.started': [{ userId: 'u1', pii: { email: 'reader@example.com' } }],
      go: [{ to: '/all', replace: false }],
      leave: [{ url: 'https://pay.example/1' }],
      'xstate.done.actor.boot': [
        describeCase('of an existing store', { output: { store } }),
        describeCase(
          'there is no such store',
          { output: { store: null } },
          'Override `store/properties` with `<Error><StatusCode>404</StatusCode><Code>invalid_store</Code></Error>`',
        ),
      ],
      'categories.loaded': [{ categories: [] }],
      'session.refused': [describeCase('', {}, preparations.invalidToken)],
      'store.refused': [
        describeCase(
          '',
          {},
          'Override `titles` with `<Error><StatusCode>404</StatusCode><Code>invalid_store</Code></Error>`, and open /all by a link',
        ),
      ],
    },
  },
];
