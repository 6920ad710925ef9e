import { assign, enqueueActions, sendTo, setup, type EventObject } from 'xstate';
import { flowActors, flowOf } from './flow-actors.ts';
import type { Appearance } from '../model/appearance.ts';
import type { AppInput, FlowFact, FlowInput } from '../model/flow.ts';
import type { Locale } from '../model/language.ts';
import { intentIn, isSameScreen, signInPath, type Intent, type Layout } from '../model/route.ts';
import type { FlowName } from '../../src/flows/registry.ts';
import type { Route, SignInReason } from '../model/route.ts';
import type { StoreProperties } from '../model/store.ts';
import type { Category } from '../model/title.ts';
import { channelPort, outputIn, requestPort } from '../ports.ts';
import { appActors } from './app-actors.ts';

type Context = AppInput & {
  store: StoreProperties | null;
  categories: Category[];
  route: Route | null;
  /** The flow that is running; while the next one is fetched, still the one before. */
  flow: FlowName | null;
  /** Null until the stored session has been looked at. */
  signedIn: boolean | null;
  intent: Intent | null;
  fetchedFlows: FlowName[];
  hasFrame: boolean;
};

type Events =
  | FlowFact
  | { type: 'location.changed'; route: Route }
  | { type: 'page.returned' }
  | { type: 'page.hidden' }
  | { type: 'session.changed'; signedIn: boolean }
  | { type: 'layout.changed'; layout: Layout }
  | { type: 'language.changed'; locale: Locale }
  | { type: 'look.changed'; appearance: Appearance }
  | { type: 'signOut.pressed' }
  | { type: 'retry.pressed' };

const signInFirst = { type: 'goSignIn', params: { action: null, expired: false, replace: true } } as const;

/** The shop: opens the store, knows where the customer is and who they are, and runs the flow of the current route. */
export const appMachine = setup({
  types: {} as { context: Context; events: Events; input: AppInput },
  actors: {
    ...appActors,
    ...flowActors,
    /** Fetches what a flow is made of: its machine, its calls and its screens. */
    fetchFlow: requestPort<null, { flow: FlowName }>(),
    /** The same for the frame, in a quiet moment after the first screen; never rejects: it asks until it has come. */
    fetchFrame: requestPort<null>(),
    /** The store's category tree; a failed look-up yields an empty one. */
    categories: requestPort<Category[]>(),
    /** The window's width as a layout, at each change. */
    viewport: channelPort<EventObject, { type: 'layout.changed'; layout: Layout }>(),
  },
  actions: {
    keepStore: assign({ store: (_, store: StoreProperties | null) => store }),
    keepCategories: assign({ categories: (_, categories: Category[]) => categories }),
    keepRoute: assign({ route: (_, route: Route) => route }),
    keepSignedIn: assign({ signedIn: (_, signedIn: boolean) => signedIn }),
    keepLayout: assign({ layout: (_, layout: Layout) => layout }),
    keepLocale: assign({ locale: (_, locale: Locale) => locale }),
    keepLook: assign({ appearance: (_, appearance: Appearance) => appearance }),
    keepIntent: assign({ intent: ({ context }) => (context.route ? intentIn(context.route.query) : null) }),
    keepPath: assign({ intent: ({ context }) => ({ path: intentIn(context.route?.query ?? {}).path, action: null }) }),
    startFlow: enqueueActions(({ context: { route, store, intent, signedIn, fetchedFlows }, enqueue }) => {
      if (!route || !store || route.flow === 'invalid') return;
      const resume = intent?.path === route.path ? intent.action : null;
      const input: FlowInput = { route, store, signedIn: signedIn === true, resume };
      enqueue.stopChild('flow');
      enqueue.spawnChild(route.flow, { id: 'flow', input });
      enqueue.assign({ intent: null, flow: route.flow, fetchedFlows: [...new Set([...fetchedFlows, route.flow])] });
    }),
    stopFlow: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('flow');
      enqueue.assign({ flow: null });
    }),
    startFrame: enqueueActions(({ context: { store, appearance, signedIn }, enqueue }) => {
      if (store) enqueue.spawnChild('frame', { id: 'frame', input: { store, appearance, signedIn: signedIn === true } });
      enqueue.assign({ hasFrame: true });
    }),
    tellFrame: enqueueActions(({ context, event, enqueue }) => {
      if (context.hasFrame) enqueue.sendTo('frame', event);
    }),
    tellFlow: sendTo('flow', ({ event }) => event),
    hideFlow: sendTo('flow', { type: 'page.hidden' }),
    tellFlowRoute: sendTo('flow', (_, route: Route) => ({ type: 'route.changed', route })),
    tellLocation: sendTo('location', ({ event }) => event),
    tellSession: sendTo('session', ({ event }) => event),
    endSession: sendTo('session', { type: 'session.expired' }),
    goTo: sendTo('location', (_, to: string) => ({ type: 'go', to, replace: true })),
    goBackToIntent: sendTo('location', ({ context }) => ({ type: 'go', to: context.intent?.path ?? '/', replace: true })),
    goSignIn: sendTo('location', ({ context: { route } }, { replace, ...why }: { replace: boolean } & SignInReason) => ({
      type: 'go',
      to: route ? signInPath(route, why) : '/signin',
      replace,
    })),
  },
  guards: {
    isKnownStore: (_, store: StoreProperties | null) => store !== null,
    isReady: ({ context }) => context.store !== null && context.route !== null && context.signedIn !== null,
    isFetched: ({ context }) => context.fetchedFlows.includes(flowOf(context.route)),
    isSameScreen: ({ context }, route: Route) => context.route !== null && isSameScreen(context.route, route),
    isInvalidPage: ({ context }) => context.route?.flow === 'invalid',
    isElsewhereThanInvalid: (_, route: Route) => route.flow !== 'invalid',
    mustSignIn: ({ context }) => context.route?.access === 'login' && context.signedIn !== true,
    hasSignedIn: ({ context }) => context.signedIn === true && ['signIn', 'signUp'].includes(context.route?.flow ?? ''),
    hasExpired: (_, expired: boolean) => expired,
  },
}).createMachine({
  id: 'app',
  context: ({ input }) => ({
    store: null,
    categories: [],
    route: null,
    flow: null,
    signedIn: null,
    intent: null,
    fetchedFlows: [],
    hasFrame: false,
    ...input,
  }),
  invoke: [
    { id: 'location', src: 'location' },
    { id: 'session', src: 'session' },
    { id: 'viewport', src: 'viewport' },
    { id: 'language', src: 'language', input: ({ context }) => ({ locale: context.locale }) },
  ],
  on: {
    'layout.changed': { actions: { type: 'keepLayout', params: ({ event }) => event.layout } },
    'language.changed': { actions: { type: 'keepLocale', params: ({ event }) => event.locale } },
    'look.changed': { actions: { type: 'keepLook', params: ({ event }) => event.appearance } },
    'session.changed': { actions: [{ type: 'keepSignedIn', params: ({ event }) => event.signedIn }, 'tellFrame'] },
    'location.changed': { actions: { type: 'keepRoute', params: ({ event }) => event.route } },
    go: { actions: 'tellLocation' },
    leave: { actions: 'tellLocation' },
  },
  initial: 'opening',
  states: {
    opening: {
      tags: 'busy',
      always: { guard: 'isReady', target: 'open' },
      invoke: {
        id: 'boot',
        src: 'boot',
        onDone: [
          {
            guard: { type: 'isKnownStore', params: ({ event }) => event.output.store },
            actions: { type: 'keepStore', params: ({ event }) => event.output.store },
          },
          { target: 'invalid' },
        ],
      },
    },
    invalid: {
      entry: { type: 'goTo', params: '/invalid' },
      on: {
        'location.changed': [
          {
            guard: { type: 'isElsewhereThanInvalid', params: ({ event }) => event.route },
            actions: [
              { type: 'keepRoute', params: ({ event }) => event.route },
              { type: 'goTo', params: '/invalid' },
            ],
          },
          { actions: { type: 'keepRoute', params: ({ event }) => event.route } },
        ],
      },
    },
    open: {
      invoke: [
        {
          id: 'categories',
          src: 'categories',
          onDone: { actions: { type: 'keepCategories', params: outputIn } },
          onError: { actions: { type: 'keepCategories', params: [] } },
        },
        { id: 'fetchFrame', src: 'fetchFrame', onDone: { actions: 'startFrame' } },
      ],
      on: {
        'location.changed': { target: '.routing', actions: { type: 'keepRoute', params: ({ event }) => event.route } },
        'session.started': { actions: 'tellSession' },
        'session.expired': { actions: 'tellSession' },
        'signOut.pressed': { actions: 'tellSession' },
      },
      initial: 'routing',
      states: {
        routing: {
          always: [
            { guard: 'isInvalidPage', target: 'redirecting', actions: { type: 'goTo', params: '/' } },
            { guard: 'mustSignIn', target: 'redirecting', actions: signInFirst },
            { guard: 'hasSignedIn', target: 'redirecting', actions: ['keepPath', 'goBackToIntent'] },
            { guard: 'isFetched', target: 'showing', actions: 'startFlow' },
            { target: 'fetching' },
          ],
        },
        fetching: {
          tags: 'busy',
          invoke: {
            id: 'fetchFlow',
            src: 'fetchFlow',
            input: ({ context }) => ({ flow: flowOf(context.route) }),
            onDone: { target: 'checking', actions: 'startFlow' },
            onError: 'unfetched',
          },
        },
        unfetched: { entry: 'stopFlow', on: { 'retry.pressed': 'fetching' } },
        redirecting: { tags: 'busy', entry: 'stopFlow' },
        showing: {
          exit: 'hideFlow',
          on: {
            'location.changed': [
              {
                guard: { type: 'isSameScreen', params: ({ event }) => event.route },
                actions: [
                  { type: 'keepRoute', params: ({ event }) => event.route },
                  { type: 'tellFlowRoute', params: ({ event }) => event.route },
                ],
              },
              { target: 'routing', actions: { type: 'keepRoute', params: ({ event }) => event.route } },
            ],
            'session.changed': {
              target: 'checking',
              actions: [{ type: 'keepSignedIn', params: ({ event }) => event.signedIn }, 'tellFlow', 'tellFrame'],
            },
            'signIn.needed': [
              {
                guard: { type: 'hasExpired', params: ({ event }) => event.expired },
                actions: [
                  { type: 'keepSignedIn', params: false },
                  { type: 'goSignIn', params: ({ event }) => ({ ...event, replace: event.action === null }) },
                  'endSession',
                ],
              },
              { actions: { type: 'goSignIn', params: ({ event }) => ({ ...event, replace: event.action === null }) } },
            ],
            'page.returned': { actions: 'tellFlow' },
            'page.hidden': { actions: 'tellFlow' },
          },
        },
        checking: {
          always: [
            { guard: 'mustSignIn', target: 'redirecting', actions: signInFirst },
            { guard: 'hasSignedIn', target: 'redirecting', actions: ['keepIntent', 'goBackToIntent'] },
            { target: 'showing' },
          ],
        },
      },
    },
  },
});
