import { getOutput } from '../ports.ts';
import { frameSetup, notSubscribed } from './frame-setup.ts';

/**
 * The frame around every screen: the subscription offer, search suggestions, the cookie notice and
 * the look. Also loads the customer's data that screens show with titles, such as the cart.
 */
export const frameMachine = frameSetup.createMachine({
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
  on: { go: { actions: 'forwardEvent' } },
  states: {
    subscription: {
      initial: 'deciding',
      on: {
        'session.changed': {
          target: '.deciding',
          actions: [
            { type: 'keepSignedIn', params: ({ event }) => event.userId !== null },
            'sendToOwnedTitles',
            'sendToWishList',
            'sendToCart',
            'sendToCredits',
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
                guard: { type: 'isSubscribed', params: getOutput },
                target: 'subscribed',
                actions: { type: 'keepSubscription', params: getOutput },
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
            onDone: [{ guard: { type: 'hasConsent', params: getOutput }, target: 'quiet' }, { target: 'noticed' }],
          },
        },
        noticed: { on: { 'consent.given': 'keeping' } },
        keeping: {
          invoke: { id: 'saveConsent', src: 'saveConsent', onDone: 'quiet', onError: 'quiet' },
        },
        quiet: {},
      },
    },
    look: {
      initial: 'themed',
      invoke: {
        id: 'storeTheme',
        src: 'storeTheme',
        onDone: { actions: { type: 'keepTheme', params: getOutput } },
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
            id: 'saveAppearance',
            src: 'saveAppearance',
            input: ({ context }) => context.appearance,
            onDone: 'themed',
            onError: 'themed',
          },
        },
      },
    },
  },
});
