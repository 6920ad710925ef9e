import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { Route } from '../../../machines/model/route.ts';
import { models as usual } from './paths.ts';
import type { PathModel } from '../../support/path-model.ts';
import { routeAt, type Reacts } from '../../e2e/tours/in-shop.ts';

type Context = {
  route: Route | null;
  signedIn: boolean | null;
  store: unknown;
  categories: unknown[];
  intent: unknown;
  layout: string;
  locale: string;
  hasFrame: boolean;
  appearance: { background: string };
};

const addresses = {
  home: '/',
  library: '/mylibrary',
  list: '/all',
  sorted: '/all?sort=title',
  signIn: '/signin?return=%2Fmylibrary',
  invalid: '/invalid',
  purchase: '/title/purchase?titleid=1005',
  title: '/id:1001',
  nowhere: '/no/such/page',
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
    const { route, signedIn, store, categories, intent, layout, locale, hasFrame, appearance } = context as unknown as Context;
    return [
      JSON.stringify(value),
      route?.path ?? null,
      signedIn,
      store !== null,
      categories.length,
      intent !== null,
      layout,
      locale,
      hasFrame,
      appearance.background,
    ];
  },
  cases: {
    ...model.cases,
    'location.changed': Object.values(addresses).map((address) => ({ route: routeAt(address) })),
    'xstate.done.actor.categories': [{ output: [category] }],
  },
}));

/** What the app's children do with what they are told. */
export const reacts: Reacts = (fact, { context }, to) => {
  const { signedIn } = context as Context;
  if (to === 'location' && fact.type === 'go') return { type: 'location.changed', route: routeAt(String(fact['to'])) };
  if (to !== 'session') return null;
  if (fact.type === 'session.started') return { type: 'session.changed', signedIn: true };
  return signedIn === null ? null : { type: 'session.changed', signedIn: false };
};

const opening = (event: AnyEventObject, { route, signedIn }: Context): boolean => {
  if (event.type === 'location.changed') return route === null;
  if (event.type === 'session.changed') return route !== null && signedIn === null;
  return event.type === 'xstate.done.actor.boot' && signedIn !== null;
};

/** What can only come out of one flow, while it is shown. */
const ofFlows: Record<string, (context: Context, event: AnyEventObject) => boolean> = {
  go: ({ route }) => route?.hides.includes('explore') === false,
  leave: ({ route, signedIn }) => route?.flow === 'checkout' && signedIn === true,
  'page.returned': ({ route, signedIn }) => route?.flow === 'checkout' && signedIn === true,
  'session.started': ({ route, signedIn }) => route?.flow === 'signIn' && signedIn === false,
  'session.expired': ({ route, signedIn }) => route?.flow === 'title' && signedIn === true,
  'signOut.pressed': ({ route, signedIn, hasFrame }) =>
    hasFrame && route?.hides.includes('signIn') === false && signedIn === true,
  'signIn.needed': ({ route, signedIn }, { expired }) =>
    expired === true ? route?.flow === 'library' && signedIn === true : route?.flow === 'checkout' && signedIn === false,
  'language.changed': ({ route, hasFrame }) => hasFrame && route?.hides.includes('footer') === false,
  'look.changed': ({ route, hasFrame }) => hasFrame && route?.hides.includes('footer') === false,
  'xstate.done.actor.fetchFrame': ({ hasFrame }) => !hasFrame,
};

/** Whether a browser can make an event come about where the app is. */
export const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const context = snapshot.context as Context;
  if (snapshot.matches('opening')) return opening(event, context);
  if (snapshot.matches('invalid')) return event.type === 'location.changed';
  if (snapshot.matches({ open: 'fetching' })) {
    // Only a part of the program that was never asked for before can be kept from coming.
    if (event.type === 'xstate.done.actor.fetchFlow') return context.route?.flow !== 'notFound';
    return event.type === 'xstate.error.actor.fetchFlow' && context.route?.flow === 'notFound';
  }
  if (snapshot.matches({ open: 'unfetched' })) return event.type === 'retry.pressed' || event.type === 'location.changed';
  if (!snapshot.matches({ open: 'showing' })) return false;
  // A tree that is waited for ends in the middle of things, when its limit has passed.
  if (context.categories.length === 0) return event.type.endsWith('.actor.categories');
  if (event.type.startsWith('xstate.') && !(event.type in ofFlows)) return false;
  return ofFlows[event.type]?.(context, event) ?? true;
};
