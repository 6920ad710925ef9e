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

function readPeriod(input: OperationInput): (typeof PERIODS)[number] {
  const periodName = readText(input, 'period');
  const period = PERIODS.find((each) => each === periodName);
  if (period === undefined) throw new BadOperation(`period must be one of ${PERIODS.join(', ')}, not "${periodName}".`);
  return period;
}

const add: AdminOperation = async ({ db }, store, input) => {
  const id = readId(input);
  const [price, otherPrice] = readAmounts(readText(input, 'price'), 'price');
  if (price === undefined || otherPrice !== undefined)
    throw new BadOperation(`price must be one amount in one currency, like 9.99EUR, not "${readText(input, 'price')}".`);
  const [trialDays, credits] = [readCount(input, 'trialDays', 366), readCount(input, 'credits', 1_000_000)];
  const plan = {
    id,
    name: readText(input, 'name'),
    price,
    period: readPeriod(input),
    ...(hasInput(input, 'description') ? { description: readLongText(input, 'description') } : {}),
    ...(trialDays === undefined ? {} : { trialDays }),
    ...(credits === undefined ? {} : { credits }),
  };
  return runOrDryRun(db, input, async (trx) => {
    const language = await lockStore(trx, store);
    const plans = await trx.selectFrom('plans').select(['id', 'position']).where('store_id', '=', store).execute();
    if (plans.some((each) => each.id === id))
      throw new BadOperation(`The store ${store} already has a plan ${id}. Choose another id.`);
    await savePlans(trx, store, [plan], language);
    // New plans are listed last.
    const position = Math.max(-1, ...plans.map((each) => each.position)) + 1;
    await trx.updateTable('plans').set({ position }).where('store_id', '=', store).where('id', '=', id).execute();
    return { rows: [], message: describeOutcome(input, `The plan ${id}`, 'offered') };
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
const withdraw: AdminOperation = async ({ db }, store, input) => {
  const id = readText(input, 'id');
  return runOrDryRun(db, input, async (trx) => {
    const withdrawnPlan = await trx
      .updateTable('plans')
      .set({ active: false })
      .where('store_id', '=', store)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!withdrawnPlan) throw new BadOperation(`The store ${store} has no plan ${id}.`);
    return { rows: [], message: describeOutcome(input, `The plan ${id}`, 'withdrawn') };
  });
};

/**
 * Sets the titles that subscribers of a plan read without buying them: every listed title, or named
 * ones.
 */
const setTitles: AdminOperation = async ({ db }, store, input) => {
  const [id, allTitles] = [readText(input, 'id'), readYesNo(input, 'all')];
  const [addedIds, removedIds] = [readIds(input, 'add'), readIds(input, 'remove')];
  const conflictingId = addedIds.find((each) => removedIds.includes(each));
  if (conflictingId !== undefined) throw new BadOperation(`The title ${conflictingId} cannot be both added and removed.`);
  return runOrDryRun(db, input, async (trx) => {
    await lockStore(trx, store);
    const planQuery = trx.selectFrom('plans').where('store_id', '=', store).where('id', '=', id);
    if (!(await planQuery.select('id').executeTakeFirst())) throw new BadOperation(`The store ${store} has no plan ${id}.`);
    await assertTitlesExist(trx, store, [...addedIds, ...removedIds]);
    if (allTitles !== undefined)
      await trx.updateTable('plans').set({ opens_all: allTitles }).where('store_id', '=', store).where('id', '=', id).execute();
    await addPlanTitles(trx, { storeId: store, planId: id }, addedIds);
    const planTitles = trx.selectFrom('plan_titles').where('plan_titles.store_id', '=', store).where('plan_id', '=', id);
    if (removedIds.length > 0)
      await trx
        .deleteFrom('plan_titles')
        .where('store_id', '=', store)
        .where('plan_id', '=', id)
        .where('title_id', 'in', removedIds)
        .execute();
    const { opens_all: opensAll } = await planQuery.select('opens_all').executeTakeFirstOrThrow();
    const rows = await planTitles
      .innerJoin('titles', (join) =>
        join.onRef('titles.store_id', '=', 'plan_titles.store_id').onRef('titles.id', '=', 'plan_titles.title_id'),
      )
      .select(['titles.id as title', 'titles.name'])
      .orderBy('titles.id')
      .execute();
    const message = opensAll
      ? `Subscribers of the plan ${id} read every listed title.`
      : describeOutcome(input, `The plan ${id}`, 'changed');
    return { rows, message };
  });
};

export const planOperations: Readonly<Record<string, AdminOperation>> = {
  'plans add': add,
  'plans list': list,
  'plans titles': setTitles,
  'plans withdraw': withdraw,
};
