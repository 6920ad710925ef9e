import type { cartMachine } from '../../../browsing/cart.ts';
import { hasReducedPrices } from '../../../model/buying/cart.ts';
import type { Description } from '../../description.ts';

export const cartDescription = {
  title: 'The cart',
  about: 'The page /purchase: the titles that a visitor has put into the cart in this browser, or a customer in the account.',
  states: {
    'cart.loading': 'A wait under the heading “Your cart”: “Loading your cart…”.',
    'cart.shown.resting': ({ context: { entries } }) =>
      `A line for each title, the latest first, with its price, or why it is not paid for, and “Remove”; below them ${hasReducedPrices(entries) ? '“Your code has been applied.” with “Remove the code”, each price before and after it' : '“Discount code (optional)” with “Apply”'}, the total, and “Check out” where there is something to pay.`,
    'cart.shown.refreshing': 'The same lines; the cart is asked for again.',
    'cart.shown.applying': 'The button says “Checking…” and cannot be pressed.',
    'cart.shown.removing': 'The titles, as they were.',
    'cart.empty': 'The heading “Your cart is empty”, and how to fill it.',
    'cart.failed': 'The heading “We couldn’t load your cart”, the reason, and “Try again”.',
  },
  presses: {
    'code.submitted': 'Type a code under “Discount code (optional)” and press “Apply”',
    'code.rejected': 'Press “Apply” without a code',
    'code.removed': 'Press “Remove the code”',
    'retry.pressed': 'Press “Try again”',
  },
  happens: { 'cart.changed': 'In another tab a title is put into the cart, or removed' },
  asks: {
    cartEntries: 'the titles in the cart',
    reloadCartEntries: 'the titles in the cart',
    applyCode: 'the cart with the discount of the code',
    removeCode: 'the cart without the code',
  },
  effects: {
    keepFields: 'The missing field’s problem is shown beside the field, which has the focus; nothing is sent.',
    keepProblem: 'The reason is shown above the code.',
  },
} satisfies Description<typeof cartMachine>;
