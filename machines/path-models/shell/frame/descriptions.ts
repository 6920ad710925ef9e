import type { ownedTitlesMachine } from '../../../app/owned-titles.ts';
import type { cartLinesMachine } from '../../../app/cart.ts';
import type { wishesMachine } from '../../../app/wish-list.ts';
import type { searchBoxMachine } from '../../../app/search-box.ts';
import type { ownCreditsMachine } from '../../../app/own-credits.ts';
import type { frameMachine } from '../../../app/frame.ts';
import type { Description } from '../../description.ts';

export const frameDescription = {
  title: 'The frame around every screen',
  about: 'The offer to subscribe in the top bar, the cookie notice at the lower end, and the look of bars and background.',
  states: {
    'frame.subscription.checking': 'No “Subscribe”: the app does not know yet whether the signed-in customer has subscribed.',
    'frame.subscription.offered': 'The top bar offers “Subscribe”, or the store’s own text for it.',
    'frame.subscription.subscribed': 'The top bar does not offer to subscribe.',
    'frame.subscription.none': 'The top bar does not offer to subscribe.',
    'frame.cookies.remembering': 'No notice yet, while the app reads browser storage.',
    'frame.cookies.noticed':
      'At the lower end of the window, a notice lists the data that the shop stores in the browser, with “Got it”.',
    'frame.cookies.keeping': 'The notice has closed, and the app stores the consent.',
    'frame.cookies.quiet': 'No cookie notice.',
    'frame.look.themed': 'Bars and background have the chosen colours.',
    'frame.look.keeping': 'Bars and background have the new colours, and the app stores the choice.',
  },
  presses: {
    'consent.given': 'Press “Got it” in the cookie notice',
    'look.chosen': 'Open “Account” or, as a visitor, “Appearance” in the top bar and choose another background',
  },
  happens: {
    'session.changed': 'The session changes',
    go: 'A suggestion leads to another page',
    'xstate.done.actor.consent': 'Browser storage is read',
    'xstate.done.actor.saveConsent': 'The choice is stored',
    'xstate.error.actor.saveConsent': 'Browser storage cannot be written to',
    'xstate.done.actor.saveAppearance': 'The choice is stored',
    'xstate.error.actor.saveAppearance': 'Browser storage cannot be written to',
  },
  asks: { subscriptionStatus: 'its answer whether the customer has subscribed', storeTheme: 'the store’s own colours' },
  effects: {
    forwardEvent: 'The URL changes to the requested one.',
    keepTheme: 'Bars and footer have the store’s own colours, if it has any.',
  },
} satisfies Description<typeof frameMachine>;

export const ownedTitlesDescription = {
  title: 'The customer’s own titles',
  about: 'The text “In your library” on cards and pages of titles, in place of a price.',
  states: {
    'ownedTitles.visitor': 'Every title has its price.',
    'ownedTitles.customer.asking':
      'Cards show no price until the app knows the customer’s titles; while it requests them again, prices stay.',
    'ownedTitles.customer.known': 'The customer’s titles show “In your library”, the others their price.',
  },
  happens: {
    'session.changed': 'The session changes',
    'title.granted': 'The customer has received another title',
  },
  asks: { ownedCopies: 'the ids of the customer’s titles' },
} satisfies Description<typeof ownedTitlesMachine>;

export const wishesDescription = {
  title: 'Titles that are saved for later',
  about:
    'The hearts on cards and “Save for later” on the page of a title: a visitor’s in the browser, a customer’s on the server.',
  states: {
    'wishes.reading': 'The hearts are shown; the app does not know yet which titles are saved.',
    'wishes.resting':
      'The hearts of saved titles are filled. After a failed change, a message at the lower end: “We couldn’t change your wish list.”',
    'wishes.unread':
      'The app does not know which titles are saved; it requests them again after a minute, and when the connection returns.',
    'wishes.sending': 'The heart that was pressed has changed already.',
  },
  presses: {
    'wish.toggled': 'Press the heart of a title, or “Save for later” on its page',
    'failure.retried': 'Press “Try again” in the message',
    'failure.closed': 'Press “Close” in the message',
  },
  happens: {
    'session.changed': 'The session changes',
    'wishes.changed': 'The customer saves or removes a title in another tab',
  },
  asks: { readWishes: 'the saved titles', changeWishes: 'the changed list' },
  effects: {
    keepChanges: 'The heart changes at once.',
    keepFailed: 'The message closes, and the heart changes again.',
    dropFailure: 'The message closes.',
  },
} satisfies Description<typeof wishesMachine>;

export const cartLinesDescription = {
  title: 'The titles in the cart',
  about:
    'The number beside the cart in the top bar, “Add to cart” on the page of a title, and “Remove” in the cart: a visitor’s in the browser, a customer’s on the server.',
  states: {
    'cartLines.reading': 'The cart has no number; the app does not know its titles yet.',
    'cartLines.resting':
      'The cart has its number; the page of a title that is in it shows “View cart” and “Remove from cart”. After a failed change, a message at the lower end: “We couldn’t change your cart.”',
    'cartLines.unread':
      'The app does not know the cart’s titles; it requests them again after a minute, and when the connection returns.',
    'cartLines.sending': 'The number, and the button that was pressed, have changed already.',
  },
  presses: {
    'title.added': 'Press “Add to cart”, or “Undo” in the cart',
    'title.removed': 'Press “Remove from cart”, or “Remove” in the cart',
    'failure.retried': 'Press “Try again” in the message',
    'failure.closed': 'Press “Close” in the message',
  },
  happens: {
    'session.changed': 'The session changes',
    'cart.changed': 'The customer adds, removes or buys a title in another tab',
  },
  asks: { readCart: 'the titles in the cart', changeCart: 'the changed cart' },
  effects: {
    keepChanges: 'The number changes at once.',
    keepFailed: 'The message closes, and the number changes again.',
    dropFailure: 'The message closes.',
  },
} satisfies Description<typeof cartLinesMachine>;

export const ownCreditsDescription = {
  title: 'The customer’s credits in the top bar',
  about: 'The number of credits in the top bar of a store that sells titles for credits; it leads to the account.',
  states: {
    'ownCredits.none': 'The top bar shows no credits.',
    'ownCredits.customer.asking': 'The top bar shows no number yet, or the previous one.',
    'ownCredits.customer.known':
      'The top bar shows the number of credits, with the store’s own name for them; one credit has the singular.',
    'ownCredits.customer.unknown':
      'The top bar shows no credits; the app requests them again after a minute, and when the connection returns.',
  },
  happens: {
    'session.changed': 'The session changes',
    'credits.changed': 'The credits change in another tab, or the customer returns to this tab',
  },
  asks: { creditBalance: 'the number of the customer’s credits' },
} satisfies Description<typeof ownCreditsMachine>;

export const searchBoxDescription = {
  title: 'Search suggestions',
  about: 'The list under the search field of the top bar.',
  states: {
    'searchBox.closed': 'No list under the search field.',
    'searchBox.typing': 'Nothing new yet: the customer is typing.',
    'searchBox.asking': 'Nothing new yet: the app requests suggestions.',
    'searchBox.offering': 'A list of categories, authors and titles under the search field.',
  },
  presses: {
    'search.typed': 'Type into the search field',
    'suggestion.moved': 'Press an arrow key',
    'suggestion.chosen': 'Press a suggestion',
    'search.closed': 'Press Escape, or leave the search field',
  },
  asks: { suggestions: 'suggestions' },
  effects: {
    countSuggestionChoice: 'The search field is empty.',
    moveActive: 'Another suggestion is marked, or none after the last.',
    goChosen: 'The page of the suggestion is shown.',
  },
} satisfies Description<typeof searchBoxMachine>;
