import type { redeemMachine } from '../../../buying/redeem.ts';
import type { CodeOffer } from '../../../model/buying/redeem.ts';
import type { Description } from '../../description.ts';

/** The heading that names the benefits of a code, and the content below it. */
const describeOffer = (offer: CodeOffer | null): string => {
  if (offer?.pii !== undefined) return '“{giver} is giving you a title”, with the title and its cover';
  if (offer?.kind === 'credits') return '“Your code gives you credits”, with their number';
  return offer?.kind === 'subscription'
    ? '“Your code gives you a subscription”, with the plan'
    : '“Your code gives you a title”, with the title and its cover';
};

export const redeemDescription = {
  title: 'Redeeming a code',
  about: 'The page /redeem, and /redeem/… with a code in the URL.',
  states: {
    'redeem.typing': 'The heading “Redeem a code” with the field “Code” and “See what you get”.',
    'redeem.keeping': 'The button says “Checking…” and cannot be pressed.',
    'redeem.kept': 'The URL ends in the code, and the app looks it up at once.',
    'redeem.loading': 'A wait: “Checking your code…”.',
    'redeem.failed': 'The heading “We couldn’t check your code”, the reason below it, and “Try again”.',
    'redeem.signInNeeded': 'The heading “Sign in to use your code”, a note that the code is kept, and “Sign in”.',
    'redeem.offered': ({ context: { offer, signedIn } }) =>
      `The heading ${describeOffer(offer)}, and ${signedIn ? '“Redeem”' : '“Sign in and redeem”'}.`,
    'redeem.choosing': ({ context: { signedIn } }) =>
      signedIn
        ? 'The heading “Choose a title”, the titles with “Choose” (except for owned titles), and “Redeem for this title”.'
        : 'The heading “Choose a title”, the titles, and “Sign in and choose”.',
    'redeem.payable': ({ context: { offer } }) =>
      `The heading ${offer?.kind === 'subscription' ? '“Your code gives you a subscription” with its trial days' : '“Your code takes {percent} off”'}; “Your code is used when you pay, and not before.” and a button that leads to the payment.`,
    'redeem.redeeming': 'The button shows a spinner and cannot be pressed.',
    'redeem.unknown': 'The heading “We don’t know yet whether your code was redeemed”, the reason below it, and “Try again”.',
    'redeem.redeemed': ({ context: { offer } }) =>
      offer?.kind === 'subscription'
        ? 'The heading “You’ve redeemed this code”, the plan, and “Continue”; after “Redeem” only until the next page loads.'
        : 'The heading “You’ve redeemed this code”, the benefit of the code, and the way to it.',
    'redeem.owned': ({ context: { offer } }) =>
      `The heading ${(offer?.titles.length ?? 0) > 1 ? '“You already own these titles”' : '“You already own this title”'}, a note that the code has not been used, and “My Library”.`,
    'redeem.refused': ({ context: { accepts } }) =>
      `The heading “This code can’t be redeemed”, the reason below it${accepts ? ', the field with the code, and “See what you get”' : ''}.`,
    'redeem.closed': '“This shop doesn’t accept codes.” and “See all titles”.',
  },
  presses: {
    'signIn.pressed': 'Press “Sign in” below the heading',
    'code.submitted': 'Type a code into “Code”, then press “See what you get”',
    'code.rejected': 'Press “See what you get” with an empty field',
    'title.chosen': 'Press “Choose” at a title',
    'redeem.pressed': ({ value, context: { signedIn } }) =>
      value === 'choosing'
        ? `Press ${signedIn ? '“Redeem for this title”' : '“Sign in and choose”'}`
        : `Press ${signedIn ? '“Redeem”' : '“Sign in and redeem”'}`,
    'continue.pressed': ({ value, context: { offer } }) => {
      if (value === 'redeemed') return 'Press “Continue”';
      if (offer?.kind === 'subscription') return 'Press “Continue to the subscription”';
      return `Press ${(offer?.titles.length ?? 0) > 0 ? '“Continue to payment”' : '“See all titles”'}`;
    },
    'read.pressed': 'Press “Open now”',
    'another.pressed': 'Press “Enter another code”',
    'retry.pressed': 'Press “Try again”',
  },
  happens: {
    'language.changed': 'The customer chooses another language in the footer',
    'route.changed': 'The URL contains another code',
    'xstate.done.actor.saveCode': 'The URL contains the code',
    'xstate.done.actor.readSavedCode': 'The field shows the code of the URL',
  },
  asks: { lookUp: 'the content of the code', redeem: 'the redeemed content' },
  effects: {
    keepFields: '“Please fill in this field.” is shown below the field, which has the focus; nothing is sent.',
    keepRefused: 'The field shows the code that was refused.',
    keepChosen: 'The title’s button says “Chosen”.',
    requestSignIn: 'The page /signin, and after sign-in this code again.',
    requestSignInFirst: 'The page /signin, and after sign-in this code again.',
    keepForPayment: 'The screen does not mention a period without a card.',
    goToCode: 'The URL changes to /redeem/… with the code.',
    goPay:
      'The page of the purchase, with the code in its URL; a visitor is asked to sign in first. A code for any title leads to the list of titles.',
    goRead: 'The title opens in the viewer.',
    goWelcome: 'The page /subscription/purchase/success, with the heading “Thank you!”.',
  },
} satisfies Description<typeof redeemMachine>;
