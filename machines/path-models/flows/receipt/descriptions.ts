import type { receiptMachine } from '../../../buying/receipt.ts';
import type { Description } from '../../description.ts';

export const receiptDescription = {
  title: 'The success page of a purchase',
  about: 'What was bought, for how much, and the way to open it: /title/purchase/success.',
  states: {
    'receipt.loading': 'A wait: “Loading your receipt…”.',
    'receipt.shown':
      'The heading “Thank you!”, the receipt with “Title”, “Amount paid”, “Date” and “Order number”, “Print”, and “Open now”; of a gift, “A gift for” with the recipient, and “Send another gift” instead.',
    'receipt.printing': 'The browser’s own print dialog.',
    'receipt.notFound': 'The heading “We couldn’t find this receipt” and the way to My Library.',
    'receipt.failed': 'The heading “We couldn’t load your receipt”, “Your purchase is safe.” and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”', 'read.pressed': 'Press “Open now”', 'print.pressed': 'Press “Print”' },
  happens: {},
  asks: { purchaseInfo: 'the receipt', print: 'the print dialog to be closed' },
  effects: { goRead: 'The viewer opens the title.' },
} satisfies Description<typeof receiptMachine>;
