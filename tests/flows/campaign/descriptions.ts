import type { campaignMachine } from '../../../machines/browsing/campaign.ts';
import type { Description } from '../../support/description.ts';

export const campaignDescription = {
  title: 'A campaign',
  about: 'The page /campaign/…: its terms and titles, how far the customer has come with it, and the rewards to choose.',
  states: {
    'campaign.loading': 'A wait: “Loading the campaign…”.',
    'campaign.reading': 'A wait: “Loading the campaign…”.',
    'campaign.shown':
      'The campaign’s name as heading, its terms, how many titles are in the cart, and a line for each title with “Add to cart”, “Choose” or “Remove from cart”.',
    'campaign.changing': 'The lines stay, and nothing can be pressed.',
    'campaign.puttingBack': 'The lines stay, and nothing can be pressed.',
    'campaign.notBegun': 'The heading “This campaign hasn’t begun yet”, the day on which it begins, and “See all titles”.',
    'campaign.over': 'The heading “This campaign is over”, the day on which it has ended, and “See all titles”.',
    'campaign.notFound': 'The heading “We couldn’t find that campaign” and “See all titles”.',
    'campaign.failed': 'The heading “We couldn’t load this campaign”, the reason, and “Retry”.',
  },
  presses: {
    'retry.pressed': 'Press “Retry”',
    'title.added': 'Press the button beside a title',
    'title.removed': 'Press “Remove from cart” beside a title',
    'campaign.removed': 'Press “Take the campaign out of your cart”',
    'undo.pressed': 'Press “Undo” below the titles',
  },
  happens: { 'language.changed': 'Another language is chosen' },
  asks: {
    loadCampaign: 'the campaign',
    readLines: 'what of it is in the cart',
    changeLines: 'what of it is in the cart then',
    putBack: 'what of it is in the cart again',
  },
  effects: {
    keepProblem: 'A message gives the reason.',
    askSignIn: 'The sign-in page comes, and leads back to the campaign.',
  },
} satisfies Description<typeof campaignMachine>;
