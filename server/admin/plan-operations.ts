import { toMajor } from '../base/money.ts';
import { readAmounts } from '../importing/amounts.ts';
import { openTitles, savePlans } from '../setup/save-plan.ts';
import { titlesNamed } from '../entitlements/opened-titles.ts';
import { demandTitles } from './demand-titles.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { answerOf, countOf, type Given, has, idOf, longTextOf, type Operation, partsOf, textOf } from './given.ts';
import { saysDone, tryOut } from './try-out.ts';
import { lockStore } from '../setup/lock-store.ts';

const PERIODS = ['week', 'month', 'quarter', 'year'] as const;

function periodOf(given: Given): (typeof PERIODS)[number] {
  const named = textOf(given, 'period');
  const period = PERIODS.find((each) => each === named);
  if (period === undefined) throw new BadOperation(`period must be one of ${PERIODS.join(', ')}, not "${named}".`);
  return period;
}

const add: Operation = async ({ db }, store, given) => {
  const id = idOf(given);
  const [price, second] = readAmounts(textOf(given, 'price'), 'price');
  if (price === undefined || second !== undefined) throw new BadOperation('A plan has one price: an amount in one currency.');
  const [trialDays, credits] = [countOf(given, 'trialDays', 366), countOf(given, 'credits', 1_000_000)];
  const plan = {
    id,
    name: textOf(given, 'name'),
    price,
    period: periodOf(given),
    ...(has(given, 'description') ? { description: longTextOf(given, 'description') } : {}),
    ...(trialDays === undefined ? {} : { trialDays }),
    ...(credits === undefined ? {} : { credits }),
  };
  return tryOut(db, given, async (trx) => {
    const language = await lockStore(trx, store);
    const plans = await trx.selectFrom('plans').select(['id', 'position']).where('store_id', '=', store).execute();
    if (plans.some((each) => each.id === id))
      throw new BadOperation(`The store ${store} has a plan ${id} already. Choose another id.`);
    await savePlans(trx, store, [plan], language);
    // Behind the others.
    const position = Math.max(-1, ...plans.map((each) => each.position)) + 1;
    await trx.updateTable('plans').set({ position }).where('store_id', '=', store).where('id', '=', id).execute();
    return { rows: [], says: saysDone(given, `The plan ${id}`, 'offered') };
  });
};

const list: Operation = async ({ db }, store) => {
  const rows = await db
    .selectFrom('plans')
    .selectAll()
    .select(titlesNamed)
    .where('store_id', '=', store)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return {
    rows: rows.map((row) => ({
      plan: row.id,
      name: row.name,
      price: `${toMajor(row.amount_minor, row.currency)}${row.currency}`,
      period: row.period,
      trialDays: row.trial_days,
      credits: row.credits,
      offered: row.active ? 'yes' : 'no',
      opens: row.opens_all ? 'all' : (row.titles_named ?? 0),
    })),
  };
};

/** Nobody subscribes to it any more; whoever has it keeps it. */
const withdraw: Operation = async ({ db }, store, given) => {
  const id = textOf(given, 'id');
  return tryOut(db, given, async (trx) => {
    const withdrawn = await trx
      .updateTable('plans')
      .set({ active: false })
      .where('store_id', '=', store)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!withdrawn) throw new BadOperation(`The store ${store} has no plan ${id}.`);
    return { rows: [], says: saysDone(given, `The plan ${id}`, 'withdrawn') };
  });
};

/** Says which titles the subscribers of a plan read without buying them: every listed one, or those that are named. */
const titles: Operation = async ({ db }, store, given) => {
  const [id, all] = [textOf(given, 'id'), answerOf(given, 'all')];
  const [added, removed] = [partsOf(given, 'add'), partsOf(given, 'remove')];
  const both = added.find((each) => removed.includes(each));
  if (both !== undefined) throw new BadOperation(`The title ${both} cannot be both added and removed.`);
  return tryOut(db, given, async (trx) => {
    await lockStore(trx, store);
    const own = trx.selectFrom('plans').where('store_id', '=', store).where('id', '=', id);
    if (!(await own.select('id').executeTakeFirst())) throw new BadOperation(`The store ${store} has no plan ${id}.`);
    await demandTitles(trx, store, [...added, ...removed]);
    if (all !== undefined)
      await trx.updateTable('plans').set({ opens_all: all }).where('store_id', '=', store).where('id', '=', id).execute();
    await openTitles(trx, { storeId: store, planId: id }, added);
    const named = trx.selectFrom('plan_titles').where('plan_titles.store_id', '=', store).where('plan_id', '=', id);
    if (removed.length > 0)
      await trx
        .deleteFrom('plan_titles')
        .where('store_id', '=', store)
        .where('plan_id', '=', id)
        .where('title_id', 'in', removed)
        .execute();
    const { opens_all: opensAll } = await own.select('opens_all').executeTakeFirstOrThrow();
    const rows = await named
      .innerJoin('titles', (join) =>
        join.onRef('titles.store_id', '=', 'plan_titles.store_id').onRef('titles.id', '=', 'plan_titles.title_id'),
      )
      .select(['titles.id as title', 'titles.name'])
      .orderBy('titles.id')
      .execute();
    const says = opensAll
      ? `Subscribers of the plan ${id} read every listed title.`
      : saysDone(given, `The plan ${id}`, 'changed');
    return { rows, says };
  });
};

export const planOperations: Readonly<Record<string, Operation>> = {
  'plans add': add,
  'plans list': list,
  'plans titles': titles,
  'plans withdraw': withdraw,
};
