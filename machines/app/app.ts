import { assign, enqueueActions, sendTo, setup, type EventObject } from 'xstate';
import type { Appearance } from '../model/store/appearance.ts';
import type { AppInput, SessionChange } from '../flows/flow-input.ts';
import type { Locale } from '../model/store/language.ts';
import type { Route } from '../flows/route.ts';
import type { StoreProperties, StoreTexts } from '../model/store/store.ts';
import type { Category } from '../model/catalogue/title.ts';
import { channelPort, markOpenEnded, safePort } from '../ports.ts';
import { appActors } from './app-actors.ts';

/**
 * An API error that concerns the whole shop: the server no longer accepts the session, or the
 * store. `call` is only for the trace of the visit.
 */
export type RefusalFact = { type: 'session.refused'; call?: string } | { type: 'store.refused'; call?: string };

type Context = AppInput & {
  store: StoreProperties | null;
  /** The category tree, empty until it is loaded. */
  categories: Category[];
  route: Route | null;
  /** The session's customer, null for a visitor; unknown until the stored session is restored. */
  session: { userId: string | null } | null;
  hasFrame: boolean;
};

/** The store's texts in the chosen language. */
type Words = StoreTexts & { locale: Locale };

type Events =
  | RefusalFact
  | SessionChange
  | { type: 'location.changed'; route: Route }
  | { type: 'page.returned' }
  | { type: 'page.hidden' }
  | { type: 'categories.loaded'; categories: Category[] }
  | { type: 'go'; to: string; replace: boolean }
  | { type: 'leave'; url: string }
  | { type: 'session.started'; userId: string; pii: { email: string } }
  | { type: 'language.changed'; words: Words }
  | { type: 'look.changed'; appearance: Appearance }
  | { type: 'signOut.pressed' };

/** Whether a customer is signed in; false while the session is unknown. */
export const isSignedIn = (session: Context['session']): boolean => session !== null && session.userId !== null;

/**
 * The shop's root machine: opens the store, tracks session and route, and runs the screen and the
 * frame around it.
 */
export const appMachine = setup({
  types: {} as { context: Context; events: Events; input: AppInput },
  actors: {
    ...appActors,
    /** Fetches the frame's code once the first screen is idle; retries until it succeeds. */
    fetchFrame: markOpenEnded(safePort<null>()),
    /** API errors of any call that concern the whole shop. */
    refusals: channelPort<EventObject, RefusalFact>(),
  },
  actions: {
    keepStore: assign({ store: (_, store: StoreProperties | null) => store }),
    /** Falls back to the support address of the page if the server sends none. */
    keepSupport: assign(({ context }, supportEmail: string) => ({ supportEmail: supportEmail || context.supportEmail })),
    keepCategories: assign({ categories: (_, categories: Category[]) => categories }),
    keepRoute: assign({ route: (_, route: Route) => route }),
    keepSession: assign({ session: (_, userId: string | null) => ({ userId }) }),
    keepWords: assign((_, words: Words) => words),
    keepLook: assign({ appearance: (_, appearance: Appearance) => appearance }),
    startFrame: enqueueActions(({ context: { store, appearance, session }, enqueue }) => {
      const signedIn = isSignedIn(session);
      if (store) enqueue.spawnChild('frame', { id: 'frame', input: { store, appearance, signedIn } });
      enqueue.assign({ hasFrame: true });
    }),
    stopFrame: enqueueActions(({ enqueue }) => {
      enqueue.stopChild('frame');
      enqueue.assign({ hasFrame: false });
    }),
    sendToFrame: enqueueActions(({ context, event, enqueue }) => {
      if (context.hasFrame) enqueue.sendTo('frame', event);
    }),
    sendToScreen: sendTo('screen', ({ event }) => event),
    sendToCategories: sendTo('categories', ({ event }) => event),
    sendToLocation: sendTo('location', ({ event }) => event),
    sendToSession: sendTo('session', ({ event }) => event),
    goInvalid: sendTo('location', { type: 'go', to: '/invalid', replace: true }),
  },
  guards: {
    isKnownStore: (_, store: StoreProperties | null) => store !== null,
    isReady: ({ context }) => context.store !== null && context.route !== null && context.session !== null,
    isElsewhereThanInvalid: (_, route: Route) => route.flow !== 'invalid',
  },
}).createMachine({
  id: 'app',
  context: ({ input }) => ({ store: null, categories: [], route: null, session: null, hasFrame: false, ...input }),
  invoke: [
    { id: 'location', src: 'location' },
    { id: 'session', src: 'session' },
    { id: 'refusals', src: 'refusals' },
    { id: 'language', src: 'language', input: ({ context }) => ({ locale: context.locale }) },
  ],
  on: {
    'look.changed': { actions: { type: 'keepLook', params: ({ event }) => event.appearance } },
    'session.changed': { actions: { type: 'keepSession', params: ({ event }) => event.userId } },
    'session.refused': { actions: 'sendToSession' },
    'location.changed': { actions: { type: 'keepRoute', params: ({ event }) => event.route } },
    go: { actions: 'sendToLocation' },
    leave: { actions: 'sendToLocation' },
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
          {
            target: 'invalid',
            actions: { type: 'keepSupport', params: ({ event }) => event.output.supportEmail },
          },
        ],
      },
    },
    invalid: {
      entry: 'goInvalid',
      on: {
        'location.changed': [
          {
            guard: { type: 'isElsewhereThanInvalid', params: ({ event }) => event.route },
            actions: [{ type: 'keepRoute', params: ({ event }) => event.route }, 'goInvalid'],
          },
          { actions: { type: 'keepRoute', params: ({ event }) => event.route } },
        ],
      },
    },
    open: {
      exit: 'stopFrame',
      invoke: [
        {
          id: 'screen',
          src: 'screen',
          input: ({ context: { store, route, session } }) => {
            if (!store || !route) throw new Error(store ? 'No route.' : 'No store.');
            return { store, route, userId: session?.userId ?? null };
          },
        },
        { id: 'categories', src: 'categories', input: ({ context: { route } }) => ({ route }) },
        { id: 'fetchFrame', src: 'fetchFrame', onDone: { actions: 'startFrame' } },
      ],
      on: {
        'store.refused': 'invalid',
        'categories.loaded': { actions: { type: 'keepCategories', params: ({ event }) => event.categories } },
        'location.changed': {
          actions: [{ type: 'keepRoute', params: ({ event }) => event.route }, 'sendToScreen', 'sendToCategories'],
        },
        'session.changed': {
          actions: [{ type: 'keepSession', params: ({ event }) => event.userId }, 'sendToScreen', 'sendToFrame'],
        },
        'language.changed': { actions: [{ type: 'keepWords', params: ({ event }) => event.words }, 'sendToScreen'] },
        'session.started': { actions: 'sendToSession' },
        'signOut.pressed': { actions: 'sendToSession' },
        'page.returned': { actions: 'sendToScreen' },
        'page.hidden': { actions: 'sendToScreen' },
      },
    },
  },
});
