import { campaignState } from '../campaigns/offers.ts';
import { readAmounts } from '../importing/amounts.ts';
import { type NewCampaign, saveCampaigns } from '../setup/save-campaign.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { countOf, dayOf, endOf, has, idOf, longTextOf, type Operation, partsOf, textOf } from './given.ts';
import { demandTitles } from './demand-titles.ts';
import { saysDone, tryOut } from './try-out.ts';
import { lockStore } from '../setup/lock-store.ts';
import { shopNow } from '../base/clock/time.ts';

const MOST = 1000;

/** A title of a campaign as it is written: `ID`, or `ID=2.99EUR` for one that costs something else in it. */
function offerOf(title: string): NewCampaign['titles'][number] {
  const [id = '', written] = title.split('=', 2);
  const [price] = written === undefined ? [] : readAmounts(written, `The title ${id}`);
  return { id, ...price };
}

const add: Operation = async ({ db }, store, given) => {
  const [id, name] = [idOf(given), textOf(given, 'name')];
  const [titles, rewards] = [partsOf(given, 'titles').map(offerOf), partsOf(given, 'rewards')];
  const [buy = 0, pick = 0] = [countOf(given, 'buy', MOST), countOf(given, 'pick', MOST)];
  if (titles.length === 0) throw new BadOperation('titles must name the titles that are sold in the campaign.');
  if (rewards.length > 0 !== (buy > 0 && pick > 0))
    throw new BadOperation('rewards, buy and pick belong together: so many bought give so many of the rewards.');
  if (pick > rewards.length) throw new BadOperation(`There are ${rewards.length} rewards, of which ${pick} cannot be chosen.`);
  const startsAt = has(given, 'from') ? dayOf(given, 'from') : null;
  const endsAt = has(given, 'to') ? endOf(dayOf(given, 'to')) : null;
  if (endsAt !== null && endsAt <= (startsAt ?? shopNow()))
    throw new BadOperation('The campaign would be over before it begins.');
  const html = has(given, 'terms') ? longTextOf(given, 'terms') : '';
  return tryOut(db, given, async (trx) => {
    const language = await lockStore(trx, store);
    const old = await trx
      .selectFrom('campaigns')
      .select('id')
      .where('store_id', '=', store)
      .where('id', '=', id)
      .executeTakeFirst();
    if (old) throw new BadOperation(`The store ${store} has a campaign ${id} already. Choose another id.`);
    await demandTitles(trx, store, [...titles.map((title) => title.id), ...rewards]);
    await saveCampaigns(trx, store, [{ id, name, html, startsAt, endsAt, buy, pick, titles, rewards }], language);
    return { rows: [{ campaign: id, page: `/campaign/${id}` }], says: saysDone(given, `The campaign ${id}`, 'made') };
  });
};

const list: Operation = async ({ db }, store) => {
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
        campaignState({ startsAt: row.starts_at, endsAt: row.ends_at }, now)
      ],
      from: row.starts_at?.toISOString() ?? '',
      to: row.ends_at?.toISOString() ?? '',
      titles: Number(row.titles ?? 0),
      buy: row.buy_count,
      pick: row.reward_count,
    })),
  };
};

/** It is over from now on. What was bought in it stays bought. */
const end: Operation = async ({ db }, store, given) => {
  const id = textOf(given, 'id');
  return tryOut(db, given, async (trx) => {
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
    return { rows: [], says: isOver ? `The campaign ${id} was over already.` : saysDone(given, `The campaign ${id}`, 'ended') };
  });
};

export const campaignOperations: Readonly<Record<string, Operation>> = {
  'campaigns add': add,
  'campaigns list': list,
  'campaigns end': end,
};
