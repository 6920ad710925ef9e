import { toMajor } from '../base/money.ts';
import { readAmounts } from '../importing/amounts.ts';
import { addPlanTitles, savePlans } from '../setup/save-plan.ts';
import { countNamedTitles } from '../entitlements/opened-titles.ts';
import { assertTitlesExist } from './assert-titles-exist.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import {
  readYesNo,
  readCount,
  type OperationInput,
  hasInput,
  readId,
  readLongText,
  type AdminOperation,
  readIds,
  readText,
} from './operation-input.ts';
import { describeOutcome, runOrDryRun } from './dry-run.ts';
import { lockStore } from '../setup/lock-store.ts';

const PERIODS = ['week', 'month', 'quarter', 'year'] as const;

function readPeriod(given: OperationInput): (typeof PERIODS)[number] {
  const named = readText(given, 'period');
  const period = PERIODS.find((each) => each === named);
  if (period === undefined) throw new BadOperation(`period must be one of ${PERIODS.join(', ')}, not "${named}".`);
  return period;
}

const add: AdminOperation = async ({ db }, store, given) => {
  const id = readId(given);
  const [price, second] = readAmounts(readText(given, 'price'), 'price');
  if (price === undefined || second !== undefined)
    throw new BadOperation('price must be one amount in one currency, like 9.99EUR.');
  const [trialDays, credits] = [readCount(given, 'trialDays', 366), readCount(given, 'credits', 1_000_000)];
  const plan = {
    id,
    name: readText(given, 'name'),
    price,
    period: readPeriod(given),
    ...(hasInput(given, 'description') ? { description: readLongText(given, 'description') } : {}),
    ...(trialDays === undefined ? {} : { trialDays }),
    ...(credits === undefined ? {} : { credits }),
  };
  return runOrDryRun(db, given, async (trx) => {
    const language = await lockStore(trx, store);
    const plans = await trx.selectFrom('plans').select(['id', 'position']).where('store_id', '=', store).execute();
    if (plans.some((each) => each.id === id))
      throw new BadOperation(`The store ${store} already has a plan ${id}. Choose another id.`);
    await savePlans(trx, store, [plan], language);
    // New plans are listed last.
    const position = Math.max(-1, ...plans.map((each) => each.position)) + 1;
    await trx.updateTable('plans').set({ position }).where('store_id', '=', store).where('id', '=', id).execute();
    return { rows: [], says: describeOutcome(given, `The plan ${id}`, 'offered') };
  });
};

const list: AdminOperation = async ({ db }, store) => {
  const rows = await db
    .selectFrom('plans')
    .selectAll()
    .select(countNamedTitles)
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

/** Closes the plan to new subscribers; existing ones keep it. */
const withdraw: AdminOperation = async ({ db }, store, given) => {
  const id = readText(given, 'id');
  return runOrDryRun(db, given, async (trx) => {
    const withdrawn = await trx
      .updateTable('plans')
      .set({ active: false })
      .where('store_id', '=', store)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!withdrawn) throw new BadOperation(`The store ${store} has no plan ${id}.`);
    return { rows: [], says: describeOutcome(given, `The plan ${id}`, 'withdrawn') };
  });
};

/**
 * Sets the titles that subscribers of a plan read without buying them: every listed title, or named
 * ones.
 */
const setTitles: AdminOperation = async ({ db }, store, given) => {
  const [id, all] = [readText(given, 'id'), readYesNo(given, 'all')];
  const [added, removed] = [readIds(given, 'add'), readIds(given, 'remove')];
  const both = added.find((each) => removed.includes(each));
  if (both !== undefined) throw new BadOperation(`The title ${both} cannot be both added and removed.`);
  return runOrDryRun(db, given, async (trx) => {
    await lockStore(trx, store);
    const own = trx.selectFrom('plans').where('store_id', '=', store).where('id', '=', id);
    if (!(await own.select('id').executeTakeFirst())) throw new BadOperation(`The store ${store} has no plan ${id}.`);
    await assertTitlesExist(trx, store, [...added, ...removed]);
    if (all !== undefined)
      await trx.updateTable('plans').set({ opens_all: all }).where('store_id', '=', store).where('id', '=', id).execute();
    await addPlanTitles(trx, { storeId: store, planId: id }, added);
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
      : describeOutcome(given, `The plan ${id}`, 'changed');
    return { rows, says };
  });
};

export const planOperations: Readonly<Record<string, AdminOperation>> = {
  'plans add': add,
  'plans list': list,
  'plans titles': setTitles,
  'plans withdraw': withdraw,
};
