import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { Route } from '../../../../machines/flows/route.ts';
import { parseAddress, type GetReaction } from '../../in-shop.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import { models as appModels } from '../../../../machines/path-models/shell/app/paths.ts';

export type Context = {
  route: Route | null;
  session: { userId: string | null } | null;
  store: unknown;
  categories: unknown[];
  locale: string;
  hasFrame: boolean;
  appearance: { background: string };
};

const paths = {
  home: '/',
  list: '/all',
  signIn: '/signin',
  invalid: '/invalid',
  purchase: '/title/purchase?titleid=1005',
  title: '/id:1001',
};

const category = {
  id: 'c1',
  tagId: '',
  name: 'Fiction',
  tag: false,
  path: 'fiction/c1',
  key: 'c1',
  parentId: null,
  children: [],
};

/**
 * The app's path models with real routes of the shop, without distinctions that a browser cannot
 * make.
 */
export const models: PathModel[] = appModels.map((model) => ({
  ...model,
  perKind: 1,
  kind: ({ value, context }) => {
    const { route, session, store, categories, locale, hasFrame, appearance } = context as unknown as Context;
    return [
      value as unknown,
      route?.path ?? null,
      session?.userId,
      store !== null,
      categories.length,
      locale,
      hasFrame,
      appearance.background,
    ];
  },
  cases: {
    ...model.cases,
    'location.changed': Object.values(paths).map((path) => ({ route: parseAddress(path) })),
    'categories.loaded': [{ categories: [category] }],
  },
}));

const isSignedIn = ({ session }: Context): boolean => session !== null && session.userId !== null;

/**
 * Whether the screen redirects from a route: from the page for an invalid shop, as this shop is
 * valid, and from sign-in while signed in.
 */
const isRedirect = (route: Route, signedIn: boolean): boolean =>
  route.flow === 'invalid' || (route.flow === 'signIn' && signedIn);

/** Returns the reactions of the app's children to its events. */
export const getReaction: GetReaction = (fact, snapshot, target) => {
  const context = snapshot.context as Context;
  if (target === 'location' && fact.type === 'go') return { type: 'location.changed', route: parseAddress(String(fact['to'])) };
  if (target === 'screen' && fact.type === 'location.changed')
    return isRedirect(fact['route'] as Route, isSignedIn(context)) ? { type: 'go', to: '/', replace: true } : null;
  if (target === 'screen' && fact.type === 'session.changed')
    return context.route !== null && isRedirect(context.route, isSignedIn(context))
      ? { type: 'go', to: '/', replace: true }
      : null;
  if (target !== 'session') return null;
  if (fact.type === 'session.started') return { type: 'session.changed', userId: 'u1', ended: false };
  return isSignedIn(context) ? { type: 'session.changed', userId: null, ended: fact.type === 'session.refused' } : null;
};

const isPossibleWhileOpening = (event: AnyEventObject, { route, session }: Context): boolean => {
  if (event.type === 'location.changed') return route === null;
  if (event.type === 'session.changed') return route !== null && session === null;
  return event.type === 'xstate.done.actor.boot' && session !== null;
};

const showsFlow = ({ route }: Context, flow: string): boolean => route?.flow === flow;
const hasFramePart = ({ route, hasFrame }: Context, part: 'footer' | 'signIn'): boolean =>
  hasFrame && route?.hides.includes(part) === false;

/** Whether the shown flow or the frame can cause an event, for events that not every screen has. */
const possibleByEvent: Record<string, (context: Context) => boolean> = {
  go: ({ route }) => route?.hides.includes('explore') === false,
  leave: (context) => showsFlow(context, 'purchase') && isSignedIn(context),
  'page.returned': (context) => showsFlow(context, 'purchase') && isSignedIn(context),
  'session.started': (context) => showsFlow(context, 'signIn') && !isSignedIn(context),
  'session.refused': (context) => showsFlow(context, 'title') && isSignedIn(context),
  'store.refused': (context) => showsFlow(context, 'title') && !isSignedIn(context),
  'signOut.pressed': (context) => hasFramePart(context, 'signIn') && isSignedIn(context),
  'language.changed': (context) => hasFramePart(context, 'footer'),
  'look.changed': (context) => hasFramePart(context, 'footer'),
  'xstate.done.actor.fetchFrame': ({ hasFrame }) => !hasFrame,
};

/** Whether a browser can cause an event in the app's current state. */
export const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const context = snapshot.context as Context;
  if (snapshot.matches('opening')) return isPossibleWhileOpening(event, context);
  if (snapshot.matches('invalid')) return event.type === 'location.changed';
  // No other event is possible until the categories have loaded.
  if (context.categories.length === 0) return event.type === 'categories.loaded';
  if (event.type.startsWith('xstate.') && !(event.type in possibleByEvent)) return false;
  return possibleByEvent[event.type]?.(context) ?? true;
};
