import type { appMachine } from '../../../machines/app/app.ts';
import type { Words } from '../../support/words.ts';

const leads = 'The address changes to the one asked for, and the screen with it.';

export const appWords = {
  title: 'The shop as a whole',
  about: 'Opens the store, knows where the customer is and who they are, and runs one flow at a time.',
  states: {
    'app.opening': 'A wait: “Opening the shop…”.',
    'app.invalid': 'The heading “Oops! You seem to be lost” at the address /invalid.',
    'app.open.fetching': 'The screen before stays, or a wait: “One moment…”.',
    'app.open.unfetched': 'The heading “Loading failed! Please reload.” and “Retry”.',
    'app.open.redirecting': 'A wait of a moment, then another address.',
    'app.open.showing': 'The screen that belongs to the address.',
  },
  presses: {
    'signOut.pressed': 'Press “Logout”',
    'retry.pressed': 'Press “Retry”',
  },
  happens: {
    'location.changed': 'The address becomes another one',
    'session.changed': 'The session changes',
    'layout.changed': 'The window gets as narrow as a phone',
    'language.changed': 'The words of the other language have come, after another one was chosen in the foot of the page',
    'look.changed': 'Another look is chosen in the foot of the page',
    'session.started': 'A form reports that somebody has signed in',
    'session.expired': 'A screen hears from the server that the session is no longer valid',
    go: 'A screen wants to go elsewhere',
    leave: 'A screen wants to leave for the gateway’s page',
    'signIn.needed': 'A screen needs somebody who is signed in',
    'page.returned': 'The customer comes back from another site by the browser’s Back',
    'page.hidden': 'The window is hidden, or another one comes before it',
    'xstate.done.actor.boot': 'The store’s properties have come',
    'xstate.done.actor.fetchFlow': 'The program of the screen has come',
    'xstate.done.actor.fetchFrame': 'The program of the frame has come',
    'xstate.error.actor.fetchFlow': 'The program of the screen does not come',
  },
  asks: { categories: 'the category tree' },
  effects: {
    keepStore: 'The store’s name, logo and colours are those of its properties.',
    keepCategories: 'The sidebar shows the categories that came; none when they did not.',
    keepRoute: 'The address bar shows the new address.',
    keepSignedIn: 'The top bar shows the customer, or “Sign in” for a visitor.',
    keepLayout: 'The sidebar is folded away.',
    keepLocale: 'The page speaks the new language.',
    keepLook: 'Bars and background have the chosen colours.',
    startFrame: 'The foot of the page has its links and choices, and the search suggests.',
    tellFrame: 'The Subscribe button follows the session.',
    tellLocation: leads,
    tellSession: 'The session begins or ends a moment later: watch the top bar.',
    tellFlow: 'The screen takes notice; see the plan of its own flow.',
    tellFlowRoute: 'The same screen shows what the new query asks for.',
    goTo: 'The address is replaced: /invalid, or / when the store is valid.',
    goSignIn: 'The address is /signin (/signup for a sample) with the way back in it.',
    goBackToIntent: 'The address is the one that the customer wanted before signing in.',
    endSession: 'The customer is signed out.',
  },
} satisfies Words<typeof appMachine>;
