import { toMinor } from '../base/money.ts';
import type { Database } from '../database/open.ts';
import { requireCurrencies } from './store-currencies.ts';
import { type TextByLanguage, type LanguageCode, readTexts } from '../base/language.ts';

export type NewCampaign = {
  id: string;
  name: TextByLanguage;
  /** its terms */
  html: TextByLanguage;
  startsAt?: Date | null;
  endsAt?: Date | null;
  /** Buying `buy` of its titles entitles to `pick` of its rewards. */
  buy?: number;
  pick?: number;
  /**
   * titles sold in the campaign, in display order, with an optional campaign price in the main unit
   * of a currency
   */
  titles: { id: string; amount?: number; currency?: string }[];
  /** titles of which a customer may take `pick` for free */
  rewards?: string[];
};

/** The campaign prices of a campaign's titles. */
export const listCampaignPrices = ({ titles }: NewCampaign): { amount: number; currency: string }[] =>
  titles.flatMap(({ amount, currency }) => (amount === undefined || currency === undefined ? [] : [{ amount, currency }]));

/** Creates the campaigns of a store, inside the caller's transaction. @throws BadText, BadAmount */
export async function saveCampaigns(trx: Database, storeId: string, campaigns: NewCampaign[], main: LanguageCode): Promise<void> {
  for (const campaign of campaigns) {
    const { id, startsAt = null, endsAt = null, buy = 0, pick = 0, titles, rewards = [] } = campaign;
    const { name, html, translations } = readTexts(`The campaign ${id}`, { name: campaign.name, html: campaign.html }, main);
    await trx
      .insertInto('campaigns')
      .values({
        store_id: storeId,
        id,
        name,
        html,
        translations: JSON.stringify(translations),
        buy_count: buy,
        reward_count: pick,
        starts_at: startsAt,
        ends_at: endsAt,
      })
      .execute();
    await requireCurrencies(trx, storeId, listCampaignPrices(campaign));
    const soldRows = titles.map(({ id: titleId, amount, currency }) => ({
      title_id: titleId,
      is_reward: false,
      ...(amount === undefined || currency === undefined
        ? { amount_minor: null, currency: null }
        : { amount_minor: toMinor(amount, currency), currency }),
    }));
    const rewardRows = rewards.map((titleId) => ({ title_id: titleId, is_reward: true, amount_minor: null, currency: null }));
    const rows = [...soldRows, ...rewardRows].map((row, position) => ({ ...row, store_id: storeId, campaign_id: id, position }));
    if (rows.length > 0) await trx.insertInto('campaign_titles').values(rows).execute();
  }
}
