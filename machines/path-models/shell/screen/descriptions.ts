import type { screenMachine } from '../../../app/screen.ts';
import type { Description } from '../../description.ts';

const navigationText = 'The URL and the screen change to the requested ones.';

export const screenDescription = {
  title: 'The screen in the frame',
  about: 'Decides whether the customer may see the screen of the URL, and runs its flow.',
  states: {
    'screen.fetching': 'The previous screen stays, or a wait: “One moment…”.',
    'screen.unfetched': 'The heading “Loading failed! Please reload.” and “Try again”.',
    'screen.redirecting': 'A short wait, then another URL.',
    'screen.showing': 'The screen that belongs to the URL.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'notice.closed': 'Press “Close” beside “Your session has ended. You’re now browsing as a guest.”',
  },
  happens: {
    'location.changed': 'The URL changes',
    'session.changed': 'The session changes',
    'language.changed': 'The texts of the language that the customer chose in the footer have loaded',
    'session.started': 'A form reports that the customer has signed in',
    go: 'A screen requests another URL',
    leave: 'A screen opens the gateway’s page',
    'signIn.needed': 'A screen requires sign-in',
    'email.typed': 'The customer types an e-mail address into a form of the account',
    'action.started': 'A screen starts an action that it would resume after sign-in',
    'action.ended': 'The action has ended',
    'page.returned': 'The customer comes back from another site by the browser’s Back',
    'page.hidden': 'The window is hidden, or another window covers it',
    'xstate.done.actor.fetchFlow': 'The screen’s chunk has loaded',
    'xstate.error.actor.fetchFlow': 'The screen’s chunk fails to load',
  },
  effects: {
    sendToApp: navigationText,
    sendToFlow: 'The screen reacts; see the plan of its own flow.',
    keepStore: 'The next screen is in the new language.',
    sendRouteToFlow: 'The same screen shows the result of the new query.',
    keepSession: 'The top bar shows the customer, or “Sign in” for a visitor.',
    keepTyped: 'No visible change: the next form of the account has the e-mail address.',
    keepAction: 'No visible change: if the session ends now, the next sign-in resumes the action.',
    dropAction: 'No visible change: the action has ended.',
    startFlow: 'The screen is loaded again.',
    goHome: 'The URL is replaced by /.',
    goSignIn: 'The URL is /signin (/signup for a sample), with the way back in its query.',
    continueAfterSignIn: 'The URL is the one that the customer requested before sign-in.',
    keepRetry: 'A wait; if the chunk still fails to load, the whole page reloads.',
    dropNotice: 'The notice closes.',
  },
} satisfies Description<typeof screenMachine>;
