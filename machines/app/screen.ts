import { assign, enqueueActions, sendParent, sendTo, setup } from 'xstate';
import type { FlowName } from '../flows/registry.ts';
import type { FlowToAppEvent, FlowInput, SessionChange, TypedEmail } from '../flows/flow-input.ts';
import { nextAfterSignIn, type AfterSignIn } from '../model/account/after-sign-in.ts';
import { isSameScreen, signInOrUpPath, type Route } from '../flows/route.ts';
import type { StoreProperties } from '../model/store/store.ts';
import { markOpenEnded, requestPort } from '../ports.ts';
import { flowActors, getFlowName } from './flow-actors.ts';

export type ScreenInput = { store: StoreProperties; route: Route; userId: string | null };

type Context = ScreenInput & {
  /** The running flow, which continues to run while the next flow is fetched. */
  flow: FlowName | null;
  /** Set from the end of sign-in until the next flow starts. */
  afterSignIn: AfterSignIn | null;
  /** The customer's current action; it is resumed after the next sign-in if the session ends. */
  action: string | null;
  /** The server ended the session on this screen. */
  ended: boolean;
  fetchedFlows: FlowName[];
  /** The e-mail address typed into the last account form. */
  typed: TypedEmail | null;
  /** The customer pressed Retry for a chunk that could not be fetched. */
  isRetry: boolean;
};

type Events =
  | FlowToAppEvent
  | SessionChange
  | { type: 'location.changed'; route: Route }
  | { type: 'language.changed'; words: { store: StoreProperties } }
  | { type: 'page.returned' }
  | { type: 'page.hidden' }
  | { type: 'notice.closed' }
  | { type: 'retry.pressed' };

/** Decides whether the customer may see the page of the route, and runs its flow. */
export const screenMachine = setup({
  types: {} as { context: Context; events: Events; input: ScreenInput },
  actors: {
    ...flowActors,
    /**
     * Fetches a flow: its machine, ports, screens and translations. A retry may reload the page
     * instead, and then never settles.
     */
    fetchFlow: markOpenEnded(requestPort<null, { flow: FlowName; isRetry: boolean }>()),
  },
  actions: {
    keepStore: assign({ store: (_, store: StoreProperties) => store }),
    keepRoute: assign({ route: (_, route: Route) => route, ended: false, isRetry: false }),
    keepRouteAlone: assign({ route: (_, route: Route) => route }),
    keepSession: assign({
      userId: (_, { userId }: SessionChange) => userId,
      ended: (_, { ended }: SessionChange) => ended,
    }),
    keepAfterSignIn: assign({ afterSignIn: ({ context }) => nextAfterSignIn(context.route.query) }),
    keepPathAfterSignIn: assign({
      afterSignIn: ({ context }) => ({ path: nextAfterSignIn(context.route.query).path, action: null }),
    }),
    /** The action is held until the next flow starts, which resumes it only on the page `to`. */
    keepResume: assign({
      afterSignIn: ({ context }, { to, resume }: { to: string; resume?: string }) =>
        resume === undefined ? context.afterSignIn : { path: to, action: resume },
    }),
    keepAction: assign({ action: (_, action: string) => action }),
    dropAction: assign({ action: null }),
    keepTyped: assign({ typed: (_, typed: TypedEmail) => typed }),
    keepRetry: assign({ isRetry: true }),
    dropNotice: assign({ ended: false }),
    keepFetched: assign({ fetchedFlows: ({ context }) => [...new Set([...context.fetchedFlows, getFlowName(context.route)])] }),
    startFlow: enqueueActions(({ context: { route, store, afterSignIn, userId, typed }, enqueue }) => {
      const flow = getFlowName(route);
      const resume = afterSignIn?.path === route.path ? afterSignIn.action : null;
      const passedEmail = isEmailForm(flow) ? typed : null;
      const input: FlowInput = { route, store, signedIn: userId !== null, resume, ...(passedEmail && { typed: passedEmail }) };
      enqueue.stopChild('flow');
      // The cast is safe since all flows take the same input, which TypeScript cannot check for a
      // union of names.
      enqueue.spawnChild(flow as 'landing', { id: 'flow', input });
      enqueue.assign({ afterSignIn: null, action: null, flow, typed: passedEmail });
    }),
    stopFlow: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('flow');
      enqueue.assign({ flow: null, action: null });
    }),
    sendToFlow: sendTo('flow', ({ event }) => event),
    hideFlow: sendTo('flow', { type: 'page.hidden' }),
    sendRouteToFlow: sendTo('flow', (_, route: Route) => ({ type: 'route.changed', route })),
    sendToApp: sendParent(({ event }) => event),
    goHome: sendParent({ type: 'go', to: '/', replace: true }),
    continueAfterSignIn: sendParent(({ context }) => ({ type: 'go', to: context.afterSignIn?.path ?? '/', replace: true })),
    /**
     * Replaces the current URL if no action is to be resumed on its page; else pushes, so that Back
     * returns to the page.
     */
    goSignIn: sendParent(({ context: { route, ended } }, action: string | null) => ({
      type: 'go',
      to: signInOrUpPath(route, { action, expired: ended }),
      replace: action === null,
    })),
  },
  guards: {
    isFetched: ({ context }) => context.fetchedFlows.includes(getFlowName(context.route)),
    isSameScreen: ({ context }, route: Route) => isSameScreen(context.route, route),
    isEmailForm: ({ context: { flow } }) => isEmailForm(flow),
    isInvalidPage: ({ context }) => context.route.flow === 'invalid',
    isSameCustomer: ({ context }, userId: string | null) => context.userId === userId,
    mustSignIn: ({ context: { route, userId, ended, action } }) =>
      userId === null && (route.access === 'login' || (ended && action !== null)),
    hasSignedIn: ({ context }) => context.userId !== null && ['signIn', 'signUp'].includes(context.route.flow),
    /** A signed-in customer may also return from a provider that they connect to the account. */
    hasJustSignedIn: ({ context }) =>
      context.userId !== null && ['signIn', 'signUp', 'providerReturn'].includes(context.route.flow),
  },
}).createMachine({
  id: 'screen',
  context: ({ input }) => ({
    ...input,
    flow: null,
    afterSignIn: null,
    typed: null,
    action: null,
    ended: false,
    fetchedFlows: [],
    isRetry: false,
  }),
  on: {
    go: { actions: [{ type: 'keepResume', params: ({ event }) => event }, 'sendToApp'] },
    leave: { actions: 'sendToApp' },
    'session.started': { actions: 'sendToApp' },
    'session.changed': { actions: { type: 'keepSession', params: ({ event }) => event } },
    'location.changed': { target: '.routing', actions: { type: 'keepRoute', params: ({ event }) => event.route } },
    'notice.closed': { actions: 'dropNotice' },
  },
  initial: 'routing',
  states: {
    routing: {
      always: [
        { guard: 'isInvalidPage', target: 'redirecting', actions: 'goHome' },
        { guard: 'mustSignIn', target: 'redirecting', actions: { type: 'goSignIn', params: null } },
        { guard: 'hasSignedIn', target: 'redirecting', actions: ['keepPathAfterSignIn', 'continueAfterSignIn'] },
        { guard: 'isFetched', target: 'showing', actions: 'startFlow' },
        { target: 'fetching' },
      ],
    },
    fetching: {
      tags: 'busy',
      invoke: {
        id: 'fetchFlow',
        src: 'fetchFlow',
        input: ({ context }) => ({ flow: getFlowName(context.route), isRetry: context.isRetry }),
        onDone: { target: 'routing', actions: 'keepFetched' },
        onError: 'unfetched',
      },
    },
    unfetched: { entry: 'stopFlow', on: { 'retry.pressed': { target: 'fetching', actions: 'keepRetry' } } },
    redirecting: { tags: 'busy', entry: 'stopFlow' },
    showing: {
      exit: 'hideFlow',
      on: {
        'location.changed': [
          {
            guard: { type: 'isSameScreen', params: ({ event }) => event.route },
            actions: [
              { type: 'keepRouteAlone', params: ({ event }) => event.route },
              { type: 'sendRouteToFlow', params: ({ event }) => event.route },
            ],
          },
          { target: 'routing', actions: { type: 'keepRoute', params: ({ event }) => event.route } },
        ],
        'session.changed': [
          {
            guard: { type: 'isSameCustomer', params: ({ event }) => event.userId },
            actions: { type: 'keepSession', params: ({ event }) => event },
          },
          { target: 'admitting', actions: { type: 'keepSession', params: ({ event }) => event } },
        ],
        'language.changed': {
          actions: [{ type: 'keepStore', params: ({ event }) => event.words.store }, 'sendToFlow'],
        },
        'signIn.needed': { actions: { type: 'goSignIn', params: ({ event }) => event.action } },
        'email.typed': { guard: 'isEmailForm', actions: { type: 'keepTyped', params: ({ event: { pii } }) => ({ pii }) } },
        'action.started': { actions: { type: 'keepAction', params: ({ event }) => event.action } },
        'action.ended': { actions: 'dropAction' },
        'page.returned': { actions: 'sendToFlow' },
        'page.hidden': { actions: 'sendToFlow' },
      },
    },
    /**
     * The customer changed by a sign-in or a sign-out: restarts the flow so that none of the
     * previous customer's data remains.
     */
    admitting: {
      always: [
        {
          guard: 'mustSignIn',
          target: 'redirecting',
          actions: { type: 'goSignIn', params: ({ context }) => context.action },
        },
        { guard: 'hasJustSignedIn', target: 'redirecting', actions: ['keepAfterSignIn', 'continueAfterSignIn'] },
        { target: 'showing', actions: 'startFlow' },
      ],
    },
  },
});

/** Whether a flow is an account form whose typed e-mail address the next account form shows. */
function isEmailForm(flow: FlowName | null): boolean {
  return flow === 'signIn' || flow === 'signUp' || flow === 'forgotPassword';
}
