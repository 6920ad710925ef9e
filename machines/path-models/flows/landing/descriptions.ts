import type { landingMachine } from '../../../browsing/landing.ts';
import type { Description } from '../../description.ts';

export const landingDescription = {
  title: 'The landing page',
  about: 'The page /.',
  states: {
    'landing.loading.shelves.stocking': 'A wait: “Stocking the shelves…”, under the store’s name.',
    'landing.loading.shelves.stocked': 'The same wait, a second and a half at most, for what the customer has begun.',
    'landing.loading.begun.asking': 'A customer is signed in; what they have begun is not known yet.',
    'landing.loading.begun.known': 'The titles to continue are loaded; for a visitor there is no such call.',
    'landing.shown':
      'What the customer has begun under “Continue reading” or the like, if anything; a featured title, “New on the shelves”, and shelves for the kinds of title that the store sells.',
    'landing.empty': 'The heading “Welcome to {name}” and “The shelves are still empty. Please come back soon.”',
    'landing.failed': '“We couldn’t load the titles”, the reason, and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”' },
  asks: { carousels: 'the carousels', begun: 'what the customer opened last' },
} satisfies Description<typeof landingMachine>;
