import type { cartMachine } from '../../../machines/browsing/cart.ts';
import type { Description } from '../../support/description.ts';

export const cartDescription = {
  title: 'The cart',
  about: 'The page /purchase: what a visitor has put into the cart in this browser, or a customer in the account.',
  states: {
    'cart.loading': 'A wait under the heading “Your cart”: “Loading your cart…”.',
    'cart.shown.resting':
      'A line for each title, the latest first, with its price, or why it is not paid for, and “Remove”; below them the total, and “Check out” where there is something to pay.',
    'cart.shown.refreshing': 'The same lines; the cart is asked for again.',
    'cart.empty': 'The heading “Your cart is empty”, and how to fill it.',
    'cart.failed': 'The heading “We couldn’t load your cart”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  happens: { 'cart.changed': 'In another tab a title is put into the cart, or removed' },
  asks: { cartEntries: 'what is in the cart', cartEntriesAnew: 'what is in the cart' },
} satisfies Description<typeof cartMachine>;
