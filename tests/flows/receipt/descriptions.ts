import type { receiptMachine } from '../../../machines/buying/receipt.ts';
import type { Description } from '../../support/description.ts';

export const receiptDescription = {
  title: 'The success page of a purchase',
  about: 'What was bought, for how much, and the way to open it: /title/purchase/success.',
  states: {
    'receipt.loading': 'A wait: “Fetching your receipt…”.',
    'receipt.shown': 'The heading “Thank you!”, the receipt with “Title”, “Paid”, “Date” and “Number”, and “Open it now”.',
    'receipt.notFound': 'The heading “We could not find this receipt” and the way to My Library.',
    'receipt.failed': 'The heading “Your receipt could not be shown”, “Your purchase itself is safe.” and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”', 'read.pressed': 'Press “Open it now”' },
  happens: {},
  asks: { purchaseInfo: 'the receipt' },
  effects: { goRead: 'The viewer opens the title.' },
} satisfies Description<typeof receiptMachine>;
