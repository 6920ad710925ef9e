import type { Campaign, CampaignLine, CampaignState } from '../../../machines/model/catalogue/campaign.ts';
import { countsTowardTotal } from '../../../machines/model/buying/cart.ts';
import { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import type { CampaignChange } from '../../../machines/browsing/campaign-setup.ts';
import { readXmlResponse } from '../../client/wire/xml-response.ts';
import { toCartEntries } from '../../client/cart/cart.ts';
import type { Api } from '../../client/wire/client.ts';
import { withStoredCode } from '../../client/payment/code-refusals.ts';
import { toIsoDate } from '../../client/wire/date.ts';
import { throwProblem } from '../../client/wire/problem.ts';
import { createItemParser } from '../../client/wire/item-parser.ts';
import { getSummaryFields } from '../../client/catalogue/title-fields.ts';
import { getShopTime } from '../../client/wire/shop-time.ts';
import { getFlag, getItems, getNumber, getText, type XmlNode } from '../../client/wire/xml-node.ts';

const idPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

const getCampaignState = (startsAt: string, endsAt: string, now: number): CampaignState => {
  if (endsAt !== '' && Date.parse(endsAt) <= now) return 'over';
  return startsAt !== '' && Date.parse(startsAt) > now ? 'notBegun' : 'running';
};

/**
 * Fetches a campaign with its current state. The id comes from URLs that people type: an id that
 * the contract does not allow counts as not found.
 * @throws Problem `refused not_found`
 */
export const fetchCampaign = async (
  api: Api,
  campaignId: string,
  signal?: AbortSignal,
  now = getShopTime(api),
): Promise<Campaign> => {
  if (!idPattern.test(campaignId)) return throwProblem({ kind: 'refused', code: 'not_found', message: '' });
  const call = 'campaign/titles';
  const responsePromise = api.client.GET('/campaign/titles', { params: { query: { campaignId } }, ...api.readOptions(signal) });
  const root = await readXmlResponse(api, call, responsePromise, 'campaign');
  const itemParser = createItemParser(api, call, 'titles', TitleSummary);
  const titles = getItems(root, 'Titles', 'Title').flatMap((node) => itemParser.parse(getSummaryFields(node, api.base)));
  itemParser.end();
  const offers = new Map(getItems(root, 'Offers', 'Offer').map((node) => [getText(node, 'TitleId') ?? '', node]));
  const [startsAt, endsAt] = [toIsoDate(getText(root, 'StartsAt')), toIsoDate(getText(root, 'EndsAt'))];
  return {
    id: campaignId,
    name: getText(root, 'Name') ?? getText(root, 'CampaignName') ?? '',
    html: getText(root, 'Message') ?? '',
    state: getCampaignState(startsAt, endsAt, now),
    startsAt,
    endsAt,
    buyCount: getNumber(root, 'Buy') ?? 0,
    rewardCount: getNumber(root, 'Pick') ?? 0,
    titles: titles.map((title) => {
      const offer = offers.get(title.id);
      const amount = offer && getNumber(offer, 'Amount');
      const currency = (offer && getText(offer, 'Currency')) ?? '';
      return {
        title,
        isReward: (offer && getFlag(offer, 'Reward')) ?? false,
        price: amount === undefined ? null : { amount, currency, symbol: (offer && getText(offer, 'CurrencySymbol')) ?? '' },
      };
    }),
  };
};

const getCampaignLines = (api: Api, root: XmlNode, campaignId: string): CampaignLine[] =>
  toCartEntries(api, root)
    .filter((entry) => entry.campaignId === campaignId)
    .map((entry) => ({
      titleId: entry.titleId,
      isReward: entry.isReward === true,
      ...(entry.isOwned ? { unpaid: 'owned' as const } : countsTowardTotal(entry) ? {} : { unpaid: 'notSold' as const }),
    }));

/** The campaign's lines in the customer's cart. */
export const fetchCampaignLines = async (api: Api, campaignId: string, signal?: AbortSignal): Promise<CampaignLine[]> =>
  getCampaignLines(
    api,
    await readXmlResponse(api, 'cart/titles', api.client.GET('/cart/titles', api.readOptions(signal)), 'cart'),
    campaignId,
  );

/**
 * Changes the campaign's lines in the cart. Idempotent.
 * @returns the lines after the change
 * @throws Problem `refused` with `campaign_over`, `campaign_not_begun`, `reward_not_reached`,
 * `rewards_taken` or `cart_full`
 */
export const changeCampaign = async (
  api: Api,
  { campaignId, titleId, isAdded }: CampaignChange,
  signal?: AbortSignal,
): Promise<CampaignLine[]> => {
  const call = isAdded ? 'cart/add' : 'cart/removeCampaign';
  const root = await withStoredCode((code) => {
    const options = api.changeOptions(null, signal);
    const query = { campaignId, code, ...(titleId === null ? {} : { titleId }) };
    const responsePromise = isAdded
      ? api.client.GET('/cart/add', { params: { query: { ...query, titleId: titleId ?? '' } }, ...options })
      : api.client.GET('/cart/removeCampaign', { params: { query }, ...options });
    return readXmlResponse(api, call, responsePromise, 'cart');
  });
  return getCampaignLines(api, root, campaignId);
};

const toBulkChange =
  (isAdded: boolean) =>
  async (api: Api, campaignId: string, titleIds: readonly string[], signal?: AbortSignal): Promise<CampaignLine[]> => {
    let lines: CampaignLine[] = [];
    for (const titleId of titleIds) lines = await changeCampaign(api, { campaignId, titleId, isAdded }, signal);
    return lines;
  };

/**
 * Adds titles of a campaign to the cart, one after the other.
 * @returns the campaign's lines in the cart after the last addition
 * @throws the same Problems as `changeCampaign`
 */
export const addCampaignTitles = toBulkChange(true);

/**
 * Removes titles of a campaign from the cart, one after the other.
 * @returns the campaign's lines in the cart after the last removal
 * @throws the same Problems as `changeCampaign`
 */
export const removeCampaignTitles = toBulkChange(false);
