import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { AfterSignIn } from '../../../../machines/model/account/after-sign-in.ts';
import type { Route } from '../../../../machines/flows/route.ts';
import { parseAddress, type GetReaction } from '../../in-shop.ts';
import type { PathModel } from '../../../../machines/path-models/path-model.ts';
import { models as screenModels } from '../../../../machines/path-models/shell/screen/paths.ts';

export type Context = {
  route: Route;
  userId: string | null;
  afterSignIn: AfterSignIn | null;
  action: string | null;
  ended: boolean;
  flow: string | null;
};

const paths = {
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

/** The screen's path models with real routes of the shop. */
export const models: PathModel[] = screenModels.map((model) => ({
  ...model,
  perKind: 1,
  kind: ({ value, context }) => {
    const { route, userId, afterSignIn, action, ended } = context as unknown as Context;
    return [value as unknown, route.path, userId !== null, afterSignIn !== null, action, ended];
  },
  cases: {
    ...model.cases,
    go: [{ to: paths.sorted, replace: true }],
    'location.changed': Object.values(paths).map((path) => ({ route: parseAddress(path) })),
  },
}));

/**
 * Returns the app's reactions to events: it navigates, and changes the customer after a sign-in.
 */
export const getReaction: GetReaction = (fact, _, target) => {
  if (target !== 'parent') return null;
  if (fact.type === 'go') return { type: 'location.changed', route: parseAddress(String(fact['to'])) };
  return fact.type === 'session.started' ? { type: 'session.changed', userId: 'u1', ended: false } : null;
};

/** Flows in which another tab may change the session, as no action is in progress there. */
const quietFlows = new Set(['landing', 'library', 'title', 'catalogue']);

const canSessionChange = ({ route, userId }: Context, event: AnyEventObject): boolean => {
  if (event['ended'] === true) return userId !== null && (route.flow === 'title' || route.flow === 'library');
  return quietFlows.has(route.flow) && (event['userId'] !== null || userId !== null);
};

/** Whether the shown flow can cause an event, for events that not every flow has. */
const possibleByEvent: Record<string, (context: Context) => boolean> = {
  go: ({ route }) => route.path === paths.list,
  'signIn.needed': ({ route, userId }) => route.flow === 'purchase' && userId === null,
  'email.typed': ({ route, userId }) => route.flow === 'signIn' && userId === null,
  'action.started': ({ route, userId, action }) => route.flow === 'purchase' && userId !== null && action === null,
  'action.ended': ({ action }) => action !== null,
  leave: ({ action }) => action !== null,
  'page.returned': ({ action }) => action !== null,
  'session.started': ({ route, userId }) => route.flow === 'signIn' && userId === null,
  'notice.closed': ({ ended }) => ended,
  'language.changed': ({ route }) => !route.hides.includes('footer'),
  'page.hidden': ({ route }) => quietFlows.has(route.flow),
};

/** Whether a browser can cause an event in the screen's current state. */
export const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean => {
  const context = snapshot.context as Context;
  if (snapshot.matches('fetching')) {
    // Only a chunk that was not loaded before can fail to load.
    if (event.type === 'xstate.done.actor.fetchFlow') return context.route.flow !== 'notFound';
    return event.type === 'xstate.error.actor.fetchFlow' && context.route.flow === 'notFound';
  }
  if (snapshot.matches('unfetched')) {
    if (event.type === 'session.changed') return event['userId'] !== null && context.userId === null;
    return event.type === 'retry.pressed' || event.type === 'location.changed';
  }
  if (!snapshot.matches('showing') || event.type === 'retry.pressed') return false;
  // An action in progress is finished before any other event.
  if (context.action !== null && !['action.ended', 'leave', 'page.returned'].includes(event.type)) return false;
  if (event.type === 'session.changed') return canSessionChange(context, event);
  return possibleByEvent[event.type]?.(context) ?? !event.type.startsWith('xstate.');
};
