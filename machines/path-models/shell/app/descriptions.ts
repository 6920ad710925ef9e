import type { appMachine } from '../../../app/app.ts';
import type { Description } from '../../description.ts';

const leadsText = 'The address changes to the one asked for, and the screen with it.';

export const appDescription = {
  title: 'The shop as a whole',
  about: 'Opens the store, knows where the customer is and who they are, and runs one flow at a time.',
  states: {
    'app.opening': 'A wait: “Opening the shop…”.',
    'app.invalid': 'The heading “Oops! You seem to be lost” at the address /invalid.',
    'app.open': 'The frame, and in it the screen that belongs to the address; see the plan “screen”.',
  },
  presses: {
    'signOut.pressed': 'Press “Logout”',
  },
  happens: {
    'location.changed': 'The address becomes another one',
    'session.changed': 'The session changes',
    'language.changed': 'The words of the other language have come, after another one was chosen in the foot of the page',
    'look.changed': 'Another look is chosen in the foot of the page',
    'session.started': 'A form reports that the customer has signed in',
    'session.refused': 'The server answers a call with 401',
    'store.refused': 'The server answers a call with status Invalid',
    go: 'A screen wants to go elsewhere',
    leave: 'A screen wants to leave for the gateway’s page',
    'page.returned': 'The customer comes back from another site by the browser’s Back',
    'page.hidden': 'The window is hidden, or another one comes before it',
    'categories.came': 'The category tree has come',
    'xstate.done.actor.boot': 'The store’s properties have come',
    'xstate.done.actor.fetchFrame': 'The program of the frame has come',
  },
  effects: {
    keepStore: 'The store’s name, logo and colours are those of its properties.',
    keepCategories: 'The sidebar shows the categories that came.',
    keepRoute: 'The address bar shows the new address.',
    keepSession: 'The top bar shows the customer, or “Sign in” for a visitor.',
    tellScreen: 'What is seen follows; see the plan “screen”.',
    goInvalid: 'The address is replaced by /invalid.',
    stopFrame: 'The frame is gone.',
    keepWords: 'The page speaks the new language, and the store’s own words with it.',
    keepLook: 'Bars and background have the chosen colours.',
    startFrame: 'The foot of the page has its links and choices, and the search suggests.',
    tellFrame: 'The Subscribe button follows the session.',
    tellLocation: leadsText,
    tellSession: 'The session begins or ends a moment later: watch the top bar.',
  },
} satisfies Description<typeof appMachine>;
