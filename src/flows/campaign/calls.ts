import type { Campaign, CampaignLine, CampaignState } from '../../../machines/model/catalogue/campaign.ts';
import { isCounted } from '../../../machines/model/buying/cart.ts';
import { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import type { CampaignChange } from '../../../machines/browsing/campaign-setup.ts';
import { xmlAnswer } from '../../client/wire/answer.ts';
import { entriesIn } from '../../client/cart/cart.ts';
import type { Api } from '../../client/wire/client.ts';
import { withKeptCode } from '../../client/payment/code-refusals.ts';
import { isoDate } from '../../client/wire/date.ts';
import { raise } from '../../client/wire/problem.ts';
import { sieve } from '../../client/wire/sieve.ts';
import { summaryFields } from '../../client/catalogue/title-fields.ts';
import { shopNow } from '../../client/wire/shop-time.ts';
import { flagIn, itemsOf, numberIn, textIn, type XmlNode } from '../../client/wire/xml-node.ts';

const idShape = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const stateAt = (startsAt: string, endsAt: string, now: number): CampaignState => {
  if (endsAt !== '' && Date.parse(endsAt) <= now) return 'over';
  return startsAt !== '' && Date.parse(startsAt) > now ? 'notBegun' : 'running';
};

/**
 * A campaign, as it stands now. Names come out of addresses that people type: what the contract would refuse is none.
 * @throws Problem `refused not_found`
 */
export const readCampaign = async (api: Api, campaignId: string, signal?: AbortSignal, now = shopNow(api)): Promise<Campaign> => {
  if (!idShape.test(campaignId)) return raise({ kind: 'refused', code: 'not_found', message: '' });
  const call = 'campaign/titles';
  const sending = api.client.GET('/campaign/titles', { params: { query: { campaignId } }, ...api.reading(signal) });
  const root = await xmlAnswer(api, call, sending, 'campaign');
  const readable = sieve(api, call, 'titles', TitleSummary);
  const titles = itemsOf(root, 'Titles', 'Title').flatMap((node) => readable.take(summaryFields(node, api.base)));
  readable.end();
  const offers = new Map(itemsOf(root, 'Offers', 'Offer').map((node) => [textIn(node, 'TitleId') ?? '', node]));
  const [startsAt, endsAt] = [isoDate(textIn(root, 'StartsAt')), isoDate(textIn(root, 'EndsAt'))];
  return {
    id: campaignId,
    name: textIn(root, 'Name') ?? textIn(root, 'CampaignName') ?? '',
    html: textIn(root, 'Message') ?? '',
    state: stateAt(startsAt, endsAt, now),
    startsAt,
    endsAt,
    buyCount: numberIn(root, 'Buy') ?? 0,
    rewardCount: numberIn(root, 'Pick') ?? 0,
    titles: titles.map((title) => {
      const offer = offers.get(title.id);
      const amount = offer && numberIn(offer, 'Amount');
      const currency = (offer && textIn(offer, 'Currency')) ?? '';
      return {
        title,
        isReward: (offer && flagIn(offer, 'Reward')) ?? false,
        price: amount === undefined ? null : { amount, currency, symbol: (offer && textIn(offer, 'CurrencySymbol')) ?? '' },
      };
    }),
  };
};

const linesIn = (api: Api, root: XmlNode, campaignId: string): CampaignLine[] =>
  entriesIn(api, root)
    .filter((entry) => entry.campaignId === campaignId)
    .map((entry) => ({
      titleId: entry.titleId,
      isReward: entry.isReward === true,
      ...(entry.isOwned ? { unpaid: 'owned' as const } : isCounted(entry) ? {} : { unpaid: 'notSold' as const }),
    }));

/** What of a campaign is in the customer's cart. */
export const campaignLines = async (api: Api, campaignId: string, signal?: AbortSignal): Promise<CampaignLine[]> =>
  linesIn(api, await xmlAnswer(api, 'cart/titles', api.client.GET('/cart/titles', api.reading(signal)), 'cart'), campaignId);

/**
 * Changes what of a campaign is in the cart; done twice it is the same as done once. @returns what is in it then
 * @throws Problem `refused` with `campaign_over`, `campaign_not_begun`, `reward_not_reached`, `rewards_taken` or `cart_full`
 */
export const changeCampaign = async (
  api: Api,
  { campaignId, titleId, isAdded }: CampaignChange,
  signal?: AbortSignal,
): Promise<CampaignLine[]> => {
  const call = isAdded ? 'cart/add' : 'cart/removeCampaign';
  const root = await withKeptCode((code) => {
    const init = api.changing(null, signal);
    const query = { campaignId, code, ...(titleId === null ? {} : { titleId }) };
    const sending = isAdded
      ? api.client.GET('/cart/add', { params: { query: { ...query, titleId: titleId ?? '' } }, ...init })
      : api.client.GET('/cart/removeCampaign', { params: { query }, ...init });
    return xmlAnswer(api, call, sending, 'cart');
  });
  return linesIn(api, root, campaignId);
};

const changeEach =
  (isAdded: boolean) =>
  async (api: Api, campaignId: string, titleIds: readonly string[], signal?: AbortSignal): Promise<CampaignLine[]> => {
    let lines: CampaignLine[] = [];
    for (const titleId of titleIds) lines = await changeCampaign(api, { campaignId, titleId, isAdded }, signal);
    return lines;
  };

/**
 * Puts titles of a campaign into the cart, one after the other.
 * @returns the campaign's lines in the cart then
 * @throws as `changeCampaign`
 */
export const putBack = changeEach(true);

/** Removes titles of a campaign from the cart, likewise. */
export const removeTitles = changeEach(false);
