import type { appMachine } from '../../../app/app.ts';
import type { Description } from '../../description.ts';

const navigationText = 'The URL and the screen change to the requested ones.';

export const appDescription = {
  title: 'The shop as a whole',
  about: 'Opens the store, keeps the current URL and the signed-in customer, and runs one flow at a time.',
  states: {
    'app.opening': 'A wait: “Opening the shop…”.',
    'app.invalid': 'The heading “Oops! You seem to be lost” at the URL /invalid.',
    'app.open': 'The frame, and in it the screen that belongs to the URL; see the plan “screen”.',
  },
  presses: {
    'signOut.pressed': 'Press “Logout”',
  },
  happens: {
    'location.changed': 'The URL changes',
    'session.changed': 'The session changes',
    'language.changed': 'The texts of the language that the customer chose in the footer have loaded',
    'look.changed': 'The customer chooses another look in the footer',
    'session.started': 'A form reports that the customer has signed in',
    'session.refused': 'The server answers a call with 401',
    'store.refused': 'The server answers a call with status Invalid',
    go: 'A screen requests another URL',
    leave: 'A screen opens the gateway’s page',
    'page.returned': 'The customer comes back from another site by the browser’s Back',
    'page.hidden': 'The window is hidden, or another window covers it',
    'categories.loaded': 'The category tree has loaded',
    'xstate.done.actor.boot': 'The store’s properties have loaded',
    'xstate.done.actor.fetchFrame': 'The frame’s chunk has loaded',
  },
  effects: {
    keepStore: 'The store’s name, logo and colours are those of its properties.',
    keepCategories: 'The sidebar shows the loaded categories.',
    keepRoute: 'The address bar shows the new URL.',
    keepSession: 'The top bar shows the customer, or “Sign in” for a visitor.',
    sendToScreen: 'The screen changes; see the plan “screen”.',
    goInvalid: 'The URL is replaced by /invalid.',
    stopFrame: 'The frame disappears.',
    keepWords: 'The page and the store’s own texts are in the new language.',
    keepLook: 'Bars and background have the chosen colours.',
    startFrame: 'The footer has its links and choices, and the search offers suggestions.',
    sendToFrame: 'The Subscribe button follows the session.',
    sendToLocation: navigationText,
    sendToSession: 'The session begins or ends a moment later: watch the top bar.',
  },
} satisfies Description<typeof appMachine>;
