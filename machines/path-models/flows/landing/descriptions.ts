import type { landingMachine } from '../../../browsing/landing.ts';
import type { Description } from '../../description.ts';

export const landingDescription = {
  title: 'The landing page',
  about: 'The page /.',
  states: {
    'landing.loading.shelves.loading': 'A wait: “Stocking the shelves…”, under the store’s name.',
    'landing.loading.shelves.loaded': 'The same wait, a second and a half at most, for the titles that the customer has begun.',
    'landing.loading.startedTitles.asking': 'A customer is signed in; the titles that they have begun are not known yet.',
    'landing.loading.startedTitles.known': 'The titles to continue are loaded; for a visitor there is no such call.',
    'landing.shown':
      'The titles that the customer has begun, under “Continue reading” or the like, if anything; a featured title, “New on the shelves”, and shelves for the kinds of title that the store sells.',
    'landing.empty': 'The heading “Welcome to {name}” and “The shelves are still empty. Please come back soon.”',
    'landing.failed': '“We couldn’t load the titles”, the reason, and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”' },
  asks: { carousels: 'the carousels', startedTitles: 'the titles that the customer opened last' },
} satisfies Description<typeof landingMachine>;
