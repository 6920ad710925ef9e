import { assign, sendParent, sendTo, setup } from 'xstate';
import { ownedTitlesMachine } from './owned-titles.ts';
import { cartLinesMachine } from './cart.ts';
import { ownCreditsMachine } from './own-credits.ts';
import { wishesMachine } from './wish-list.ts';
import { searchBoxMachine } from './search-box.ts';
import type { Appearance } from '../model/store/appearance.ts';
import type { SessionChange } from '../flows/flow-input.ts';
import type { StoreProperties, StoreTheme } from '../model/store/store.ts';
import { outputIn, requestPort, safePort } from '../ports.ts';

/** Whether the customer has subscribed; `data` is the server's own text, the plan's id. */
export type SubscriptionStatus = { subscribed: boolean; data: string | null };

export type FrameInput = { store: StoreProperties; signedIn: boolean; appearance: Appearance };

type Context = {
  sellsPlans: boolean;
  asksConsent: boolean;
  /** Only where titles can be had for credits. */
  takesCredits?: true;
  signedIn: boolean;
  subscription: SubscriptionStatus;
  appearance: Appearance;
  theme: StoreTheme;
};

const notSubscribed: SubscriptionStatus = { subscribed: false, data: null };

/**
 * What stands around every screen: the offer to subscribe, suggestions to a search, the notice of cookies, the look; and what
 * the titles on them have to know of the customer.
 */
export const frameMachine = setup({
  types: {} as {
    context: Context;
    events:
      | SessionChange
      | { type: 'go'; to: string; replace: boolean }
      | { type: 'consent.given' }
      | { type: 'look.chosen'; appearance: Appearance };
    input: FrameInput;
  },
  actors: {
    searchBox: searchBoxMachine,
    ownedTitles: ownedTitlesMachine,
    wishes: wishesMachine,
    cartLines: cartLinesMachine,
    ownCredits: ownCreditsMachine,
    /** The signed-in customer's. */
    subscriptionStatus: requestPort<SubscriptionStatus>(),
    /** Colours that the store has set for itself; rejects as any call. */
    storeTheme: requestPort<StoreTheme>(),
    /** Whether this browser's user has seen the notice of cookies; a storage that cannot be read has nothing. */
    consent: safePort<boolean>(),
    keepConsent: requestPort<null>(),
    /** Remembers the look in this browser. */
    keepAppearance: requestPort<null, Appearance>(),
  },
  actions: {
    passOn: sendParent(({ event }) => event),
    tellOwned: sendTo('ownedTitles', ({ event }) => event),
    tellWishes: sendTo('wishes', ({ event }) => event),
    tellCart: sendTo('cartLines', ({ event }) => event),
    tellCredits: sendTo('ownCredits', ({ event }) => event),
    keepSignedIn: assign({
      signedIn: (_, signedIn: boolean) => signedIn,
      subscription: notSubscribed,
    }),
    keepSubscription: assign({
      subscription: (_, subscription: SubscriptionStatus) => subscription,
    }),
    keepTheme: assign({ theme: (_, theme: StoreTheme) => theme }),
    keepLook: assign({ appearance: (_, appearance: Appearance) => appearance }),
    reportLook: sendParent(({ context }) => ({
      type: 'look.changed',
      appearance: context.appearance,
    })),
  },
  guards: {
    sellsNoPlans: ({ context }) => !context.sellsPlans,
    isSignedIn: ({ context }) => context.signedIn,
    isSubscribed: (_, { subscribed }: SubscriptionStatus) => subscribed,
    asksNoConsent: ({ context }) => !context.asksConsent,
    hasConsent: (_, consent: boolean) => consent,
  },
}).createMachine({
  id: 'frame',
  context: ({ input: { store, signedIn, appearance } }) => ({
    sellsPlans: store.enableSubscription,
    asksConsent: store.showCookieConsent,
    ...(store.enableBuyWithCredits ? { takesCredits: true as const } : {}),
    signedIn,
    subscription: notSubscribed,
    appearance,
    theme: {},
  }),
  type: 'parallel',
  invoke: [
    { id: 'searchBox', src: 'searchBox' },
    { id: 'ownedTitles', src: 'ownedTitles', input: ({ context }) => ({ signedIn: context.signedIn }) },
    { id: 'wishes', src: 'wishes', input: ({ context }) => ({ signedIn: context.signedIn }) },
    { id: 'cartLines', src: 'cartLines', input: ({ context }) => ({ signedIn: context.signedIn }) },
    {
      id: 'ownCredits',
      src: 'ownCredits',
      input: ({ context: { signedIn, takesCredits = false } }) => ({ signedIn, takesCredits }),
    },
  ],
  on: { go: { actions: 'passOn' } },
  states: {
    subscription: {
      initial: 'deciding',
      on: {
        'session.changed': {
          target: '.deciding',
          actions: [
            { type: 'keepSignedIn', params: ({ event }) => event.userId !== null },
            'tellOwned',
            'tellWishes',
            'tellCart',
            'tellCredits',
          ],
        },
      },
      states: {
        deciding: {
          always: [{ guard: 'sellsNoPlans', target: 'none' }, { guard: 'isSignedIn', target: 'checking' }, { target: 'offered' }],
        },
        checking: {
          meta: { spec: ['S3.subscription-status', 'S7.subscription/status'] },
          invoke: {
            id: 'subscriptionStatus',
            src: 'subscriptionStatus',
            onDone: [
              {
                guard: { type: 'isSubscribed', params: outputIn },
                target: 'subscribed',
                actions: { type: 'keepSubscription', params: outputIn },
              },
              { target: 'offered' },
            ],
            onError: 'offered',
          },
        },
        offered: { meta: { spec: ['S4.subscription-offer', 'S4.logout-subscription'] } },
        subscribed: {},
        none: {},
      },
    },
    cookies: {
      initial: 'deciding',
      states: {
        deciding: {
          always: [{ guard: 'asksNoConsent', target: 'quiet' }, { target: 'remembering' }],
        },
        remembering: {
          invoke: {
            id: 'consent',
            src: 'consent',
            onDone: [{ guard: { type: 'hasConsent', params: outputIn }, target: 'quiet' }, { target: 'noticed' }],
          },
        },
        noticed: { on: { 'consent.given': 'keeping' } },
        keeping: {
          invoke: { id: 'keepConsent', src: 'keepConsent', onDone: 'quiet', onError: 'quiet' },
        },
        quiet: {},
      },
    },
    look: {
      initial: 'themed',
      invoke: {
        id: 'storeTheme',
        src: 'storeTheme',
        onDone: { actions: { type: 'keepTheme', params: outputIn } },
        onError: { actions: { type: 'keepTheme', params: {} } },
      },
      states: {
        themed: {
          on: {
            'look.chosen': {
              target: 'keeping',
              actions: [{ type: 'keepLook', params: ({ event }) => event.appearance }, 'reportLook'],
            },
          },
        },
        keeping: {
          invoke: {
            id: 'keepAppearance',
            src: 'keepAppearance',
            input: ({ context }) => context.appearance,
            onDone: 'themed',
            onError: 'themed',
          },
        },
      },
    },
  },
});
