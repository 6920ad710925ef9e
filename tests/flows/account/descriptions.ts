import type { accountMachine } from '../../../machines/account/account.ts';
import type { Description } from '../../support/description.ts';

export const accountDescription = {
  title: 'The account',
  about: 'The page /account: who is signed in, and what was bought, when and for how much.',
  states: {
    'account.loading': 'A wait under the heading “Purchases”: “Loading your purchases…”.',
    'account.shown': 'A line for each purchase: its name, the day, and what was paid.',
    'account.empty': '“You haven’t bought anything yet. See all titles”, the last words a link.',
    'account.failed': 'The heading “We couldn’t load your purchases”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  happens: {},
  asks: { purchaseRecords: 'the customer’s purchases' },
} satisfies Description<typeof accountMachine>;
