import { readCampaigns } from '../../campaigns/offers.ts';
import { formatAmount, currencySymbol } from '../../base/money.ts';
import { summaryColumns } from '../../catalogue/title-rows.ts';
import { renderTitleSummary } from '../../catalogue/title-xml.ts';
import { localizeHtml, localizeText } from '../../base/language.ts';
import { renderElement, renderFields } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';

/** Returns a campaign, its offers, and its listed titles in display order. */
export async function campaignTitles({ services, store, spoken, query }: Call<'campaignTitles'>): Answer<'campaignTitles'> {
  const { db } = services;
  const campaign = await db
    .selectFrom('campaigns')
    .select(['id', 'name', 'html', 'buy_count', 'reward_count', 'starts_at', 'ends_at', 'translations'])
    .where('store_id', '=', store.id)
    .where('id', '=', query.campaignId)
    .executeTakeFirst();
  if (!campaign) throw notFound('campaign');
  const rows = await db
    .selectFrom('titles')
    .innerJoin('campaign_titles', (join) =>
      join
        .onRef('campaign_titles.store_id', '=', 'titles.store_id')
        .onRef('campaign_titles.title_id', '=', 'titles.id')
        .on('campaign_titles.campaign_id', '=', campaign.id),
    )
    .select((eb) => summaryColumns(eb as never))
    .where('titles.store_id', '=', store.id)
    .where('titles.offered', '=', true)
    .orderBy('campaign_titles.position')
    .orderBy('titles.id')
    .execute();
  const titles = rows.map((row) => renderTitleSummary(store.id, { ...row, prices: row.prices ?? [] }));
  const [campaignWithOffers] = await readCampaigns(db, store.id, [campaign.id]);
  const offers = (campaignWithOffers?.offers ?? []).map(({ titleId, isReward, price }) =>
    renderElement('Offer', [
      renderFields({
        TitleId: titleId,
        Reward: isReward,
        ...(price === null
          ? {}
          : {
              Amount: formatAmount(price.amount, price.currency),
              Currency: price.currency,
              CurrencySymbol: currencySymbol(price.currency),
            }),
      }),
    ]),
  );
  return renderElement('Campaign', [
    renderFields({
      CampaignId: campaign.id,
      Name: localizeText(campaign, 'name', spoken),
      Message: localizeHtml(campaign, 'html', spoken) || null,
      Buy: campaign.buy_count,
      Pick: campaign.reward_count,
      StartsAt: campaign.starts_at?.toISOString(),
      EndsAt: campaign.ends_at?.toISOString(),
    }),
    renderElement('Offers', offers),
    renderElement('Titles', titles),
  ]);
}
