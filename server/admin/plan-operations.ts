import { toMajor } from '../catalogue/money.ts';
import { readAmounts } from '../importing/amounts.ts';
import { savePlans } from '../setup/save-plan.ts';
import { BadOperation, countOf, type Given, has, idOf, longTextOf, type Operation, textOf } from './given.ts';
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
  const rows = await db.selectFrom('plans').selectAll().where('store_id', '=', store).orderBy('position').orderBy('id').execute();
  return {
    rows: rows.map((row) => ({
      plan: row.id,
      name: row.name,
      price: `${toMajor(row.amount_minor, row.currency)}${row.currency}`,
      period: row.period,
      trialDays: row.trial_days,
      credits: row.credits,
      offered: row.active ? 'yes' : 'no',
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

export const planOperations: Readonly<Record<string, Operation>> = {
  'plans add': add,
  'plans list': list,
  'plans withdraw': withdraw,
};
