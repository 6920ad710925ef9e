import type { screenMachine } from '../../../app/screen.ts';
import type { Description } from '../../description.ts';

const navigationText = 'The address and the screen change to the requested ones.';

export const screenDescription = {
  title: 'The screen in the frame',
  about: 'Decides whether the customer may see the screen of the address, and runs its flow.',
  states: {
    'screen.fetching': 'The screen before stays, or a wait: “One moment…”.',
    'screen.unfetched': 'The heading “Loading failed! Please reload.” and “Try again”.',
    'screen.redirecting': 'A wait of a moment, then another address.',
    'screen.showing': 'The screen that belongs to the address.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'notice.closed': 'Press “Close” beside “Your session has ended. You’re now browsing as a guest.”',
  },
  happens: {
    'location.changed': 'The address becomes another one',
    'session.changed': 'The session changes',
    'language.changed': 'The texts of the language that the customer chose in the footer have loaded',
    'session.started': 'A form reports that the customer has signed in',
    go: 'A screen requests another address',
    leave: 'A screen opens the gateway’s page',
    'signIn.needed': 'A screen requires sign-in',
    'email.typed': 'The customer types an e-mail address into a form of the account',
    'action.started': 'A screen starts an action that it would resume after sign-in',
    'action.ended': 'The action has ended',
    'page.returned': 'The customer comes back from another site by the browser’s Back',
    'page.hidden': 'The window is hidden, or another one comes before it',
    'xstate.done.actor.fetchFlow': 'The screen’s chunk has loaded',
    'xstate.error.actor.fetchFlow': 'The screen’s chunk fails to load',
  },
  effects: {
    sendToApp: navigationText,
    sendToFlow: 'The screen reacts; see the plan of its own flow.',
    keepStore: 'The next screen is in the new language.',
    sendRouteToFlow: 'The same screen shows the result of the new query.',
    keepSession: 'The top bar shows the customer, or “Sign in” for a visitor.',
    keepTyped: 'Nothing yet: the next form of the account has the e-mail address.',
    keepAction: 'Nothing yet: should the session end now, signing in leads back to it.',
    dropAction: 'Nothing: the action has ended.',
    startFlow: 'The screen is loaded again.',
    goHome: 'The address is replaced by /.',
    goSignIn: 'The address is /signin (/signup for a sample) with the way back in it.',
    continueAfterSignIn: 'The address is the one that the customer wanted before signing in.',
    keepRetry: 'A wait; if the chunk still fails to load, the whole page reloads.',
    dropNotice: 'The notice is gone.',
  },
} satisfies Description<typeof screenMachine>;
