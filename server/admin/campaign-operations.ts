import { getCampaignState } from '../campaigns/offers.ts';
import { readAmounts } from '../importing/amounts.ts';
import { type NewCampaign, saveCampaigns } from '../setup/save-campaign.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import {
  readCount,
  readDay,
  endOfDay,
  hasInput,
  readId,
  readLongText,
  type AdminOperation,
  readIds,
  readText,
} from './operation-input.ts';
import { assertTitlesExist } from './assert-titles-exist.ts';
import { describeOutcome, runOrDryRun } from './dry-run.ts';
import { lockStore } from '../setup/lock-store.ts';
import { shopNow } from '../base/clock/time.ts';

const MAX_CAMPAIGN_TITLES = 1000;

/** A title of a campaign as the operator writes it: `ID`, or `ID=2.99EUR` with a campaign price. */
function parseCampaignTitle(title: string): NewCampaign['titles'][number] {
  const [id = '', priceText] = title.split('=', 2);
  const [price] = priceText === undefined ? [] : readAmounts(priceText, `The title ${id}`);
  return { id, ...price };
}

const add: AdminOperation = async ({ db }, store, input) => {
  const [id, name] = [readId(input), readText(input, 'name')];
  const [titles, rewards] = [readIds(input, 'titles').map(parseCampaignTitle), readIds(input, 'rewards')];
  const [buy = 0, pick = 0] = [readCount(input, 'buy', MAX_CAMPAIGN_TITLES), readCount(input, 'pick', MAX_CAMPAIGN_TITLES)];
  if (titles.length === 0) throw new BadOperation('titles must name the titles that are sold in the campaign.');
  if (rewards.length > 0 !== (buy > 0 && pick > 0))
    throw new BadOperation('rewards, buy and pick belong together: a customer who buys so many titles may pick so many rewards.');
  if (pick > rewards.length)
    throw new BadOperation(`pick must be at most ${rewards.length}, the number of rewards, not ${pick}.`);
  const startsAt = hasInput(input, 'from') ? readDay(input, 'from') : null;
  const endsAt = hasInput(input, 'to') ? endOfDay(readDay(input, 'to')) : null;
  if (endsAt !== null && endsAt <= (startsAt ?? shopNow()))
    throw new BadOperation(`to must be a day that is not over, and not before from, not ${readText(input, 'to')}.`);
  const html = hasInput(input, 'terms') ? readLongText(input, 'terms') : '';
  return runOrDryRun(db, input, async (trx) => {
    const language = await lockStore(trx, store);
    const existing = await trx
      .selectFrom('campaigns')
      .select('id')
      .where('store_id', '=', store)
      .where('id', '=', id)
      .executeTakeFirst();
    if (existing) throw new BadOperation(`The store ${store} already has a campaign ${id}. Choose another id.`);
    await assertTitlesExist(trx, store, [...titles.map((title) => title.id), ...rewards]);
    await saveCampaigns(trx, store, [{ id, name, html, startsAt, endsAt, buy, pick, titles, rewards }], language);
    return { rows: [{ campaign: id, page: `/campaign/${id}` }], message: describeOutcome(input, `The campaign ${id}`, 'made') };
  });
};

const list: AdminOperation = async ({ db }, store) => {
  const now = shopNow();
  const rows = await db
    .selectFrom('campaigns')
    .select(['id', 'name', 'starts_at', 'ends_at', 'buy_count', 'reward_count'])
    .select((eb) =>
      eb
        .selectFrom('campaign_titles')
        .whereRef('campaign_titles.store_id', '=', 'campaigns.store_id')
        .whereRef('campaign_titles.campaign_id', '=', 'campaigns.id')
        .select((each) => each.fn.countAll<number>().as('count'))
        .as('titles'),
    )
    .where('store_id', '=', store)
    .orderBy('id')
    .execute();
  return {
    rows: rows.map((row) => ({
      campaign: row.id,
      name: row.name,
      state: { notBegun: 'not begun', running: 'running', over: 'over' }[
        getCampaignState({ startsAt: row.starts_at, endsAt: row.ends_at }, now)
      ],
      from: row.starts_at?.toISOString() ?? '',
      to: row.ends_at?.toISOString() ?? '',
      titles: Number(row.titles ?? 0),
      buy: row.buy_count,
      pick: row.reward_count,
    })),
  };
};

/** Ends the campaign now. Titles bought in it stay bought. */
const end: AdminOperation = async ({ db }, store, input) => {
  const id = readText(input, 'id');
  return runOrDryRun(db, input, async (trx) => {
    const row = await trx
      .selectFrom('campaigns')
      .select('ends_at')
      .where('store_id', '=', store)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new BadOperation(`The store ${store} has no campaign ${id}.`);
    const now = shopNow();
    const isOver = row.ends_at !== null && row.ends_at <= now;
    if (!isOver)
      await trx.updateTable('campaigns').set({ ends_at: now }).where('store_id', '=', store).where('id', '=', id).execute();
    return {
      rows: [],
      message: isOver ? `The campaign ${id} had already ended.` : describeOutcome(input, `The campaign ${id}`, 'ended'),
    };
  });
};

export const campaignOperations: Readonly<Record<string, AdminOperation>> = {
  'campaigns add': add,
  'campaigns list': list,
  'campaigns end': end,
};
