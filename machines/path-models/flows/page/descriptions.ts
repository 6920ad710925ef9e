import type { contentPageMachine } from '../../../browsing/content-page.ts';
import type { Description } from '../../description.ts';

export const pageDescription = {
  title: 'Content pages',
  about: 'Pages that the store wrote, /pages/public/… and /pages/private/….',
  states: {
    'page.loading': 'A wait: “Loading the page…”.',
    'page.shown': 'The page’s name as the heading, and the store’s text.',
    'page.translating': 'The page as before, until its texts in the other language have loaded.',
    'page.forCustomers': 'A wait: “Please sign in to see this page. Taking you there…”.',
    'page.notFound': 'The heading “We couldn’t find that page” and “Back to Home”.',
    'page.failed': 'The heading “We couldn’t load this page”, the reason, and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”' },
  happens: { 'language.changed': 'The texts of the language that the customer chose in the footer have loaded' },
  asks: { page: 'the page' },
  effects: {
    requestSignIn: 'The sign-in page comes up and leads back here.',
  },
} satisfies Description<typeof contentPageMachine>;
