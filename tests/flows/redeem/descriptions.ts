import type { redeemMachine } from '../../../machines/buying/redeem.ts';
import type { Description } from '../../support/description.ts';

export const redeemDescription = {
  title: 'Redeeming a code',
  about: 'The page /redeem, and /redeem/… with a code in the address.',
  states: {
    'redeem.typing': 'The heading “Redeem a code” with the field “Code” and “See what it gives”.',
    'redeem.keeping': 'The button says “Checking…” and cannot be pressed.',
    'redeem.kept': 'The address ends in the code, and the code is looked up at once.',
    'redeem.loading': 'A wait: “Checking your code…”.',
    'redeem.failed': 'The heading “We couldn’t check your code”, the reason below it, and “Retry”.',
    'redeem.offered':
      'What the code gives: a title with its cover, credits, or a subscription; “Redeem”, for a visitor “Sign in and redeem”.',
    'redeem.choosing':
      'The heading “Choose a title”, the titles with “Choose” (those in the library without), and “Redeem for this title”; for a visitor “Sign in and choose”.',
    'redeem.payable':
      'What the code takes off, or the days that are free; “Your code is used when you pay, and not before.” and a button that leads there.',
    'redeem.redeeming': 'The button turns and cannot be pressed.',
    'redeem.unknown': 'The heading “We don’t know yet whether your code was redeemed”, the reason below it, and “Retry”.',
    'redeem.redeemed': 'The heading “You’ve redeemed this code”, what it gave, and the way to it.',
    'redeem.owned': 'The heading “You already have this title”, that the code has not been used, and “My Library”.',
    'redeem.refused': 'The heading “This code can’t be redeemed”, the reason below it, and “Enter another code”.',
    'redeem.closed': '“This shop doesn’t accept codes.” and “See all titles”.',
  },
  presses: {
    'code.submitted': 'Type a code into “Code”, then press “See what it gives”',
    'code.rejected': 'Press “See what it gives” with an empty field',
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
    'retry.pressed': 'Press “Retry”',
  },
  happens: {
    'language.changed': 'the customer chooses another language at the foot of the page',
    'route.changed': 'the address holds another code',
    'xstate.done.actor.keepCode': 'the code stands in the address',
  },
  asks: { lookUp: 'what the code gives', redeem: 'what the code gave' },
  effects: {
    keepFields: '“Please fill in this field.” stands below the field, which has the focus; nothing is sent.',
    keepChosen: 'The title’s button says “Chosen”.',
    askSignIn: 'The page /signin, and after sign-in this code again.',
    goToCode: 'The address becomes /redeem/… with the code.',
    goPay: 'The page of the payment, with the code in its address.',
    goRead: 'The title opens in the viewer.',
    goWelcome: 'The page /subscription/purchase/success.',
  },
} satisfies Description<typeof redeemMachine>;
