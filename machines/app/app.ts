import { appSetup } from './app-setup.ts';

/** The shop: opens the store, knows the customer and the address, and runs what is seen: the screen and the frame around it. */
export const appMachine = appSetup.createMachine({
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
    'session.refused': { actions: 'tellSession' },
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
            if (!store || !route) throw new Error('not ready');
            return { store, route, userId: session?.userId ?? null };
          },
        },
        { id: 'categories', src: 'categories', input: ({ context: { route } }) => ({ route }) },
        { id: 'fetchFrame', src: 'fetchFrame', onDone: { actions: 'startFrame' } },
      ],
      on: {
        'store.refused': 'invalid',
        'categories.came': { actions: { type: 'keepCategories', params: ({ event }) => event.categories } },
        'location.changed': {
          actions: [{ type: 'keepRoute', params: ({ event }) => event.route }, 'tellScreen', 'tellCategories'],
        },
        'session.changed': {
          actions: [{ type: 'keepSession', params: ({ event }) => event.userId }, 'tellScreen', 'tellFrame'],
        },
        'language.changed': { actions: [{ type: 'keepWords', params: ({ event }) => event.words }, 'tellScreen'] },
        'session.started': { actions: 'tellSession' },
        'signOut.pressed': { actions: 'tellSession' },
        'page.returned': { actions: 'tellScreen' },
        'page.hidden': { actions: 'tellScreen' },
      },
    },
  },
});
