import type { landingMachine } from '../../../machines/browsing/landing.ts';
import type { Description } from '../../support/description.ts';

export const landingDescription = {
  title: 'The landing page',
  about: 'The page /.',
  states: {
    'landing.loading': 'A wait: “Stocking the shelves…”, under the store’s name.',
    'landing.shown': 'A featured title, “New on the shelves”, and a carousel for each kind of title that the store sells.',
    'landing.empty': 'The heading “Welcome to {name}” and “The shelves are still empty. Please come back soon.”',
    'landing.failed': '“We couldn’t load the titles”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  asks: { carousels: 'the carousels' },
} satisfies Description<typeof landingMachine>;
