import { assign, sendParent, sendTo, setup } from 'xstate';
import { ownedTitlesMachine } from './owned-titles.ts';
import { cartLinesMachine } from './cart.ts';
import { ownCreditsMachine } from './own-credits.ts';
import { wishesMachine } from './wish-list.ts';
import { searchBoxMachine } from './search-box.ts';
import type { Appearance } from '../model/store/appearance.ts';
import type { SessionChange } from '../flows/flow-input.ts';
import type { StoreProperties, StoreTheme } from '../model/store/store.ts';
import { requestPort, safePort } from '../ports.ts';

/** Whether the customer has a subscription; `data` is the plan's id, as the server sends it. */
export type SubscriptionStatus = { subscribed: boolean; data: string | null };

export type FrameInput = { store: StoreProperties; signedIn: boolean; appearance: Appearance };

type Context = {
  sellsPlans: boolean;
  asksConsent: boolean;
  /** Set if the store accepts credits for titles. */
  takesCredits?: true;
  signedIn: boolean;
  subscription: SubscriptionStatus;
  appearance: Appearance;
  theme: StoreTheme;
};

export const notSubscribed: SubscriptionStatus = { subscribed: false, data: null };

/** The ports, actions and guards of the frame. */
export const frameSetup = setup({
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
    /** The subscription status of the signed-in customer. */
    subscriptionStatus: requestPort<SubscriptionStatus>(),
    /** The store's own colours; rejects like any call. */
    storeTheme: requestPort<StoreTheme>(),
    /** Whether the visitor has accepted the cookie notice; false if storage cannot be read. */
    consent: safePort<boolean>(),
    saveConsent: requestPort<null>(),
    /** Stores the look in this browser. */
    saveAppearance: requestPort<null, Appearance>(),
  },
  actions: {
    forwardEvent: sendParent(({ event }) => event),
    sendToOwnedTitles: sendTo('ownedTitles', ({ event }) => event),
    sendToWishList: sendTo('wishes', ({ event }) => event),
    sendToCart: sendTo('cartLines', ({ event }) => event),
    sendToCredits: sendTo('ownCredits', ({ event }) => event),
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
});
