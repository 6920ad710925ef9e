import type { campaignMachine } from '../../../browsing/campaign.ts';
import { getCampaignProgress } from '../../../model/catalogue/campaign.ts';
import type { Description } from '../../description.ts';

export const campaignDescription = {
  title: 'A campaign',
  about: 'The page /campaign/…: its terms and titles, the customer’s progress, and the rewards to choose.',
  states: {
    'campaign.loading': 'A wait: “Loading the offer…”.',
    'campaign.reading': 'The same wait continues.',
    'campaign.shown': ({ context: { campaign, lines, problem, removedOwned } }) => {
      const isReached = campaign !== null && getCampaignProgress(campaign, lines).isReached;
      const countText = isReached ? 'the number of chosen rewards' : 'the number of its titles in the cart';
      const message = problem === null ? '' : ' A message gives the reason why the cart did not change.';
      const ownedNotice =
        removedOwned.length === 0 ? '' : ' A notice names the title that is in the library and was taken out of the cart.';
      return `The campaign’s name as heading, its terms, ${countText}, and a line for each title with “Add to cart”, “Choose” or “Remove from cart”.${message}${ownedNotice}`;
    },
    'campaign.changing': 'The lines stay, and none of their buttons can be pressed.',
    'campaign.removingOwned': 'The lines stay, and none of their buttons can be pressed.',
    'campaign.puttingBack': 'The lines stay, and none of their buttons can be pressed.',
    'campaign.notBegun': 'The heading “This offer hasn’t started yet”, the day on which it begins, and “See all titles”.',
    'campaign.over': 'The heading “This offer is over”, the day on which it has ended, and “See all titles”.',
    'campaign.notFound': 'The heading “We couldn’t find that offer” and “See all titles”.',
    'campaign.failed': 'The heading “We couldn’t load this offer”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'title.added': 'Press the button beside a title',
    'title.removed': 'Press “Remove from cart” beside a title',
    'campaign.removed': 'Press “Remove the offer from your cart”',
    'undo.pressed': 'Press “Undo” below the titles',
  },
  happens: { 'language.changed': 'The customer chooses another language' },
  asks: {
    loadCampaign: 'the campaign',
    readLines: 'the campaign’s titles in the cart',
    changeLines: 'the campaign’s titles in the changed cart',
    putBack: 'the campaign’s titles in the restored cart',
    removeOwned: 'the campaign’s titles in the cart, without the customer’s own titles',
  },
  effects: {
    requestSignIn: 'The sign-in page opens, and leads back to the campaign, where the title goes into the cart.',
  },
} satisfies Description<typeof campaignMachine>;
