import type { screenMachine } from '../../../app/screen.ts';
import type { Description } from '../../description.ts';

const leadsText = 'The address changes to the one asked for, and the screen with it.';

export const screenDescription = {
  title: 'What is seen in the frame',
  about: 'Decides whether the customer may see what the address names, and runs the flow that shows it.',
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
    'language.changed': 'The words of the other language have come, after another one was chosen in the foot of the page',
    'session.started': 'A form reports that the customer has signed in',
    go: 'A screen wants to go elsewhere',
    leave: 'A screen wants to leave for the gateway’s page',
    'signIn.needed': 'A screen requires sign-in',
    'email.typed': 'An address is typed into the form of an account',
    'action.begun': 'A screen starts an action that it would resume after sign-in',
    'action.ended': 'That is over',
    'page.returned': 'The customer comes back from another site by the browser’s Back',
    'page.hidden': 'The window is hidden, or another one comes before it',
    'xstate.done.actor.fetchFlow': 'The program of the screen has come',
    'xstate.error.actor.fetchFlow': 'The program of the screen does not come',
  },
  effects: {
    tellApp: leadsText,
    tellFlow: 'The screen takes notice; see the plan of its own flow.',
    keepStore: 'What is opened next speaks the new language.',
    tellFlowRoute: 'The same screen shows what the new query asks for.',
    keepSession: 'The top bar shows the customer, or “Sign in” for a visitor.',
    keepTyped: 'Nothing yet: the next form of an account has the address.',
    keepAction: 'Nothing yet: should the session end now, signing in leads back to it.',
    dropAction: 'Nothing: what was begun is over.',
    startFlow: 'The screen is loaded afresh.',
    goHome: 'The address is replaced by /.',
    goSignIn: 'The address is /signin (/signup for a sample) with the way back in it.',
    goOnAfterSignIn: 'The address is the one that the customer wanted before signing in.',
    keepRetry: 'A wait; if the chunk still fails to load, the whole page reloads.',
    dropNotice: 'The notice is gone.',
  },
} satisfies Description<typeof screenMachine>;
