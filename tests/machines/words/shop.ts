import type { appMachine } from '../../../machines/app/app.ts';
import type { bootMachine } from '../../../machines/app/boot.ts';
import type { languageMachine } from '../../../machines/app/language.ts';
import type { locationMachine } from '../../../machines/app/location.ts';
import type { sessionMachine } from '../../../machines/app/session.ts';
import type { Words } from './words.ts';

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

export const bootWords = {
  title: 'Opening the store',
  about: 'The first thing that the page does: it asks the server for the store’s properties.',
  states: {
    'boot.loading': 'A wait: “Opening the shop…”.',
    'boot.unreachable': 'The heading “The shop cannot be reached”, the reason below it, and “Retry”; the address stays.',
    'boot.valid': 'The shop opens in its own name and colours.',
    'boot.invalid': 'The address becomes /invalid: “Oops! You seem to be lost”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  asks: { storeProperties: 'the store’s properties' },
} satisfies Words<typeof bootMachine>;

export const locationWords = {
  title: 'The address bar',
  about: 'Has no screen: watch the address bar and the browser’s history. It can be watched under any flow.',
  states: {
    'location.here': 'A page of the shop is shown.',
    'location.leaving': 'The browser is on its way to another site.',
  },
  happens: {
    'history.changed': 'The address changes, by a link, Back or Forward',
    go: 'The shop wants to go elsewhere',
    leave: 'The shop wants to leave for the gateway’s page',
    'page.returned': 'The customer comes back by the browser’s Back',
    'page.hidden': 'The window is hidden, or another one comes before it',
  },
  effects: {
    reportRoute: 'The screen is the one of the address.',
    reportPage: 'What was open is still there, and its place is kept.',
    push: 'The new address is shown; Back leads to the one before.',
    replace: 'The new address is shown; Back leads past the one before.',
  },
} satisfies Words<typeof locationMachine>;

export const sessionWords = {
  title: 'The session',
  about: 'Has no screen of its own: watch the top bar. Tests that name another tab need two tabs of one browser.',
  states: {
    'session.restoring': 'The shop has just been opened; the stored session is looked at.',
    'session.open.visitor': 'The top bar offers “Sign in”; browser storage holds no id_token.',
    'session.open.signedIn': 'The top bar says “Signed in as {email}” and offers “Logout”.',
    'session.open.leaving': 'A moment in which token, secret, user id and reader preferences are deleted.',
  },
  presses: { 'signOut.pressed': 'Press “Logout”' },
  happens: {
    'session.started': 'A customer signs in',
    'session.startedElsewhere': 'A customer signs in in another tab',
    'session.endedElsewhere': 'The customer signs out in another tab',
    'session.expired': 'The server answers a call with 401',
    'xstate.done.actor.restoreSession': 'Browser storage is read',
    'xstate.error.actor.restoreSession': 'The stored session cannot be used',
    'xstate.done.actor.forgetSession': 'Browser storage is cleared',
    'xstate.error.actor.forgetSession': 'Browser storage cannot be cleared',
  },
  effects: { keepCustomer: 'The top bar names the customer who signed in last.' },
} satisfies Words<typeof sessionMachine>;

export const languageWords = {
  title: 'The language of the shop',
  about: 'The choice of a language in the frame of every page.',
  states: {
    'language.spoken': 'Every text of the frame is in the chosen language.',
    'language.loading': 'The texts are still in the language before.',
    'language.unavailable': 'The texts stay in the language before, and so does the choice.',
  },
  presses: { 'language.chosen': 'Choose a language' },
  happens: {
    'xstate.done.actor.loadLanguage': 'The words of the language come',
    'xstate.error.actor.loadLanguage': 'The words of the language do not come',
  },
} satisfies Words<typeof languageMachine>;
