import { flowOf } from './flow-actors.ts';
import { screenSetup } from './screen-setup.ts';

/** Decides whether the customer may see the page of the address, and runs the flow that shows it. */
export const screenMachine = screenSetup.createMachine({
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
    go: { actions: [{ type: 'keepResume', params: ({ event }) => event }, 'tellApp'] },
    leave: { actions: 'tellApp' },
    'session.started': { actions: 'tellApp' },
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
        { guard: 'hasSignedIn', target: 'redirecting', actions: ['keepPathAfterSignIn', 'goOnAfterSignIn'] },
        { guard: 'isFetched', target: 'showing', actions: 'startFlow' },
        { target: 'fetching' },
      ],
    },
    fetching: {
      tags: 'busy',
      invoke: {
        id: 'fetchFlow',
        src: 'fetchFlow',
        input: ({ context }) => ({ flow: flowOf(context.route), isRetry: context.isRetry }),
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
              { type: 'tellFlowRoute', params: ({ event }) => event.route },
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
          actions: [{ type: 'keepStore', params: ({ event }) => event.words.store }, 'tellFlow'],
        },
        'signIn.needed': { actions: { type: 'goSignIn', params: ({ event }) => event.action } },
        'email.typed': { guard: 'isEmailForm', actions: { type: 'keepTyped', params: ({ event: { pii } }) => ({ pii }) } },
        'action.begun': { actions: { type: 'keepAction', params: ({ event }) => event.action } },
        'action.ended': { actions: 'dropAction' },
        'page.returned': { actions: 'tellFlow' },
        'page.hidden': { actions: 'tellFlow' },
      },
    },
    /** Another customer has signed in, or this one has signed out: the flow starts again, so that nothing of theirs remains. */
    admitting: {
      always: [
        {
          guard: 'mustSignIn',
          target: 'redirecting',
          actions: { type: 'goSignIn', params: ({ context }) => context.action },
        },
        { guard: 'hasJustSignedIn', target: 'redirecting', actions: ['keepAfterSignIn', 'goOnAfterSignIn'] },
        { target: 'showing', actions: 'startFlow' },
      ],
    },
  },
});
