import type { ownedTitlesMachine } from '../../../app/owned-titles.ts';
import type { cartLinesMachine } from '../../../app/cart.ts';
import type { wishesMachine } from '../../../app/wish-list.ts';
import type { searchBoxMachine } from '../../../app/search-box.ts';
import type { ownCreditsMachine } from '../../../app/own-credits.ts';
import type { frameMachine } from '../../../app/frame.ts';
import type { Description } from '../../description.ts';

export const frameDescription = {
  title: 'The frame around every screen',
  about: 'The offer to subscribe in the top bar, the notice of cookies at the lower end, and the look of bars and background.',
  states: {
    'frame.subscription.checking': 'A customer is signed in; whether they have subscribed is not known yet: no “Subscribe”.',
    'frame.subscription.offered': 'The top bar offers “Subscribe”, or the store’s own words for it.',
    'frame.subscription.subscribed': 'The top bar does not offer to subscribe.',
    'frame.subscription.none': 'The top bar does not offer to subscribe.',
    'frame.cookies.remembering': 'A moment in which browser storage is read.',
    'frame.cookies.noticed':
      'At the lower end of the window, a notice lists the data that the shop stores in the browser, with “Got it”.',
    'frame.cookies.keeping': 'The notice is gone; a moment in which that is written down.',
    'frame.cookies.quiet': 'No notice of cookies.',
    'frame.look.themed': 'Bars and background have the chosen colours.',
    'frame.look.keeping': 'Bars and background have the new colours; a moment in which the choice is written down.',
  },
  presses: {
    'consent.given': 'Press “Got it” in the notice of cookies',
    'look.chosen': 'Open “Account” or, as a visitor, “Appearance” in the top bar and choose another background',
  },
  happens: {
    'session.changed': 'The session changes',
    go: 'A suggestion leads to another page',
    'xstate.done.actor.consent': 'Browser storage is read',
    'xstate.done.actor.saveConsent': 'The choice is written down',
    'xstate.error.actor.saveConsent': 'Browser storage cannot be written to',
    'xstate.done.actor.saveAppearance': 'The choice is written down',
    'xstate.error.actor.saveAppearance': 'Browser storage cannot be written to',
  },
  asks: { subscriptionStatus: 'whether the customer has subscribed', storeTheme: 'the store’s own colours' },
  effects: {
    forwardEvent: 'The address changes to the requested one.',
    keepTheme: 'Bars and foot have the colours that the store has set for itself, if any.',
  },
} satisfies Description<typeof frameMachine>;

export const ownedTitlesDescription = {
  title: 'Which titles are the customer’s',
  about: 'The text “In your library” on cards and pages of titles, in place of a price.',
  states: {
    'ownedTitles.visitor': 'Every title has its price.',
    'ownedTitles.customer.asking':
      'Cards show no price until it is known which titles are the customer’s; while they are asked for again, prices stay.',
    'ownedTitles.customer.known': 'The customer’s titles say “In your library”, the others have their price.',
  },
  happens: {
    'session.changed': 'The session changes',
    'title.granted': 'The customer has got another title',
  },
  asks: { ownedCopies: 'the ids of the customer’s titles' },
} satisfies Description<typeof ownedTitlesMachine>;

export const wishesDescription = {
  title: 'Titles that are saved for later',
  about:
    'The hearts on cards and “Save for later” on the page of a title: a visitor’s in the browser, a customer’s on the server.',
  states: {
    'wishes.reading': 'The hearts are there; which titles are saved is not known yet.',
    'wishes.resting':
      'The hearts of saved titles are filled. After a failed change, a message at the lower end: “We couldn’t change your wish list.”',
    'wishes.unread':
      'The app does not know which titles are saved; it requests them again after a minute, and when the network is back.',
    'wishes.sending': 'The heart that was pressed has changed already.',
  },
  presses: {
    'wish.toggled': 'Press the heart of a title, or “Save for later” on its page',
    'failure.retried': 'Press “Try again” in the message',
    'failure.closed': 'Press “Close” in the message',
  },
  happens: {
    'session.changed': 'The session changes',
    'wishes.changed': 'In another tab a title is saved or removed',
  },
  asks: { readWishes: 'which titles are saved', changeWishes: 'the list with the change' },
  effects: {
    keepChanges: 'The heart changes at once.',
    keepFailed: 'The message is gone, and the heart has changed again.',
    dropFailure: 'The message is gone.',
  },
} satisfies Description<typeof wishesMachine>;

export const cartLinesDescription = {
  title: 'The titles in the cart',
  about:
    'The number beside the cart in the top bar, “Add to cart” on the page of a title, and “Remove” in the cart: a visitor’s in the browser, a customer’s on the server.',
  states: {
    'cartLines.reading': 'The cart has no number; its titles are not known yet.',
    'cartLines.resting':
      'The cart has its number; the page of a title that is in it says “View cart” and “Remove from cart”. After a failed change, a message at the lower end: “We couldn’t change your cart.”',
    'cartLines.unread':
      'The app does not know the cart’s titles; it requests them again after a minute, and when the network is back.',
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
    'cart.changed': 'In another tab a title is put into the cart or removed, or something is bought',
  },
  asks: { readCart: 'the titles in the cart', changeCart: 'the cart with the change' },
  effects: {
    keepChanges: 'The number changes at once.',
    keepFailed: 'The message is gone, and the number has changed again.',
    dropFailure: 'The message is gone.',
  },
} satisfies Description<typeof cartLinesMachine>;

export const ownCreditsDescription = {
  title: 'The customer’s credits in the top bar',
  about: 'The number of credits in the top bar of a store where titles can be had for credits; it leads to the account.',
  states: {
    'ownCredits.none': 'The top bar shows no credits.',
    'ownCredits.customer.asking': 'The number is not known yet, or is the one of before.',
    'ownCredits.customer.known':
      'The top bar says how many credits the customer has, in the store’s own word for them; one credit is in the singular.',
    'ownCredits.customer.unknown':
      'The top bar shows no credits; they are asked for again after a minute, and when the network is back.',
  },
  happens: {
    'session.changed': 'The session changes',
    'credits.changed': 'In another tab credits are given or taken, or the tab is looked at again',
  },
  asks: { creditBalance: 'how many credits the customer has' },
} satisfies Description<typeof ownCreditsMachine>;

export const searchBoxDescription = {
  title: 'Suggestions to a search',
  about: 'The list under the search field of the top bar.',
  states: {
    'searchBox.closed': 'No list under the search field.',
    'searchBox.typing': 'Nothing new yet: the customer is typing.',
    'searchBox.asking': 'Nothing new yet: the server is asked.',
    'searchBox.offering': 'A list of categories, authors and titles under the search field.',
  },
  presses: {
    'search.typed': 'Type into the search field',
    'suggestion.moved': 'Press an arrow key',
    'suggestion.chosen': 'Press a suggestion',
    'search.closed': 'Press Escape, or go elsewhere on the page',
  },
  asks: { suggestions: 'suggestions' },
  effects: {
    countSuggestionChoice: 'The search field is empty.',
    moveActive: 'Another suggestion is marked, or none after the last.',
    goChosen: 'The page of the suggestion is shown.',
  },
} satisfies Description<typeof searchBoxMachine>;
