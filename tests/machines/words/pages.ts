import type { accountMachine } from '../../../machines/account/account.ts';
import type { pageMachine } from '../../../machines/browsing/page.ts';
import type { placeholderMachine } from '../../../machines/browsing/static-pages.ts';
import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { Words } from './words.ts';

export const pageWords = {
  title: 'Content pages',
  about: 'Pages that the store wrote, /pages/public/… and /pages/private/…, and campaigns, /campaign/….',
  states: {
    'page.loading': 'A wait: “Fetching the page…”.',
    'page.shown': 'The page’s name as the heading, and what the store wrote.',
    'page.forCustomers': 'A wait: “This page is for customers. Taking you to sign in…”.',
    'page.notFound': 'The heading “There is no such page” and “Back to Home”.',
    'page.failed': 'The heading “The page did not come”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  happens: { 'session.changed': 'The session changes' },
  asks: { page: 'the page' },
  effects: {
    askSignIn: 'The sign-in page comes up and leads back here.',
    keepSignedIn: 'The page is fetched anew.',
  },
} satisfies Words<typeof pageMachine>;

export const placeholderWords = {
  title: 'Placeholder pages',
  about: 'Addresses that say what they are for and lead on: /forgotpassword, /resetpassword/…, /redeem, /purchase and others.',
  states: { 'placeholder.shown': 'A heading, what the address is for, and links that lead on.' },
} satisfies Words<typeof placeholderMachine>;

export const subscriptionWords = {
  title: 'Subscriptions',
  about: 'The page /subscription: what a subscription brings, and whether the customer has one.',
  states: {
    'subscription.checking': 'A wait under the heading “Subscriptions”: “Checking your subscription…”.',
    'subscription.offered':
      'The heading “Subscriptions” with the store’s words; “Have you subscribed already? Sign in” for a visitor.',
    'subscription.subscribed': 'The heading “Subscriptions” and “You have subscribed.”',
    'subscription.closed': 'The heading “Subscriptions” and “This shop has no subscriptions. Every title is bought on its own.”',
    'subscription.failed': 'The heading “We could not see whether you have subscribed”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  happens: { 'session.changed': 'The session changes' },
  asks: { subscriptionStatus: 'whether the customer has subscribed' },
  effects: {
    keepSignedIn: 'The page says how it stands with the new customer, or with a visitor.',
    reportExpired: 'The top bar offers “Sign in”; the page stays.',
  },
} satisfies Words<typeof subscriptionMachine>;

export const accountWords = {
  title: 'The account',
  about: 'The page /account: who is signed in, and what was bought, when and for how much.',
  states: {
    'account.loading': 'A wait under the heading “Purchases”: “Fetching your purchases…”.',
    'account.shown': 'A line for each purchase: its name, the day, and what was paid.',
    'account.empty': '“You have not bought anything yet. See all titles”, the last words a link.',
    'account.expired': 'A wait: “Your session has ended. Taking you to sign in…”.',
    'account.failed': 'The heading “Your purchases could not be shown”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  happens: { 'session.changed': 'The session changes' },
  asks: { purchaseRecords: 'the customer’s purchases' },
  effects: { askSignIn: 'The sign-in page comes up and leads back here.' },
} satisfies Words<typeof accountMachine>;
