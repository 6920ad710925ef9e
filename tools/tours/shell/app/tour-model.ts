import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { Route } from '../../../../machines/flows/route.ts';
import { routeAt, type Reacts } from '../../in-shop.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import { models as usual } from '../../../../machines/path-models/shell/app/paths.ts';

export type Context = {
  route: Route | null;
  session: { userId: string | null } | null;
  store: unknown;
  categories: unknown[];
  locale: string;
  hasFrame: boolean;
  appearance: { background: string };
};

const addresses = {
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

/** The app's path models with routes that the shop has, and with what a browser cannot tell apart left out. */
export const models: PathModel[] = usual.map((model) => ({
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
    'location.changed': Object.values(addresses).map((address) => ({ route: routeAt(address) })),
    'categories.came': [{ categories: [category] }],
  },
}));

const isSignedIn = ({ session }: Context): boolean => session !== null && session.userId !== null;

/** Where the screen leads on from an address: nobody stays at the door of an open shop, or at a sign-in that is done. */
const leadsOn = (route: Route, signedIn: boolean): boolean => route.flow === 'invalid' || (route.flow === 'signIn' && signedIn);

/** What the app's children do with what they are told. */
export const reacts: Reacts = (fact, snapshot, to) => {
  const context = snapshot.context as Context;
  if (to === 'location' && fact.type === 'go') return { type: 'location.changed', route: routeAt(String(fact['to'])) };
  if (to === 'screen' && fact.type === 'location.changed')
    return leadsOn(fact['route'] as Route, isSignedIn(context)) ? { type: 'go', to: '/', replace: true } : null;
  if (to === 'screen' && fact.type === 'session.changed')
    return context.route !== null && leadsOn(context.route, isSignedIn(context)) ? { type: 'go', to: '/', replace: true } : null;
  if (to !== 'session') return null;
  if (fact.type === 'session.started') return { type: 'session.changed', userId: 'u1', ended: false };
  return isSignedIn(context) ? { type: 'session.changed', userId: null, ended: fact.type === 'session.refused' } : null;
};

const opening = (event: AnyEventObject, { route, session }: Context): boolean => {
  if (event.type === 'location.changed') return route === null;
  if (event.type === 'session.changed') return route !== null && session === null;
  return event.type === 'xstate.done.actor.boot' && session !== null;
};

const isAt = ({ route }: Context, flow: string): boolean => route?.flow === flow;
const shows = ({ route, hasFrame }: Context, part: 'footer' | 'signIn'): boolean =>
  hasFrame && route?.hides.includes(part) === false;

/** What can only come out of one flow or of the frame, while it is shown. */
const where: Record<string, (context: Context) => boolean> = {
  go: ({ route }) => route?.hides.includes('explore') === false,
  leave: (context) => isAt(context, 'purchase') && isSignedIn(context),
  'page.returned': (context) => isAt(context, 'purchase') && isSignedIn(context),
  'session.started': (context) => isAt(context, 'signIn') && !isSignedIn(context),
  'session.refused': (context) => isAt(context, 'title') && isSignedIn(context),
  'store.refused': (context) => isAt(context, 'title') && !isSignedIn(context),
  'signOut.pressed': (context) => shows(context, 'signIn') && isSignedIn(context),
  'language.changed': (context) => shows(context, 'footer'),
  'look.changed': (context) => shows(context, 'footer'),
  'xstate.done.actor.fetchFrame': ({ hasFrame }) => !hasFrame,
};

/** Whether a browser can make an event come about where the app is. */
export const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const context = snapshot.context as Context;
  if (snapshot.matches('opening')) return opening(event, context);
  if (snapshot.matches('invalid')) return event.type === 'location.changed';
  // A tree that is waited for comes in the middle of things.
  if (context.categories.length === 0) return event.type === 'categories.came';
  if (event.type.startsWith('xstate.') && !(event.type in where)) return false;
  return where[event.type]?.(context) ?? true;
};
