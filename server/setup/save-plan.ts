import type { Database } from '../database/open.ts';
import { toMinor } from '../base/money.ts';
import { requireSoldIn } from './store-currencies.ts';
import { type GivenText, type LanguageCode, readTexts } from '../base/language.ts';

/** A plan that customers subscribe to. */
export type NewPlan = {
  id: string;
  name: GivenText;
  /** what it brings; may be HTML */
  description?: GivenText;
  /** in the main unit, for each period */
  price: { amount: number; currency: string };
  period: 'week' | 'month' | 'quarter' | 'year';
  /** days before the first payment */
  trialDays?: number;
  /** that each renewal brings; as many as the store gives with any plan where it is left out */
  credits?: number;
  /** the titles that its subscribers read, by their ids, or every listed one */
  opens?: 'all' | string[];
};

/**
 * Writes a store's plans, in the order shown.
 * @throws BadText for words that are not given as they have to be; BadAmount
 */
export async function savePlans(trx: Database, storeId: string, plans: NewPlan[], main: LanguageCode): Promise<void> {
  await requireSoldIn(
    trx,
    storeId,
    plans.map(({ price }) => price),
  );
  const rows = plans.map(({ id, name, description, price, period, trialDays, credits, opens }, position) => {
    const told = readTexts(`The plan ${id}`, { name, description: description ?? '' }, main);
    return {
      ...told,
      store_id: storeId,
      id,
      translations: JSON.stringify(told.translations),
      amount_minor: toMinor(price.amount, price.currency),
      currency: price.currency,
      period,
      trial_days: trialDays ?? 0,
      credits: credits ?? null,
      opens_all: opens === 'all',
      position,
    };
  });
  if (rows.length > 0) await trx.insertInto('plans').values(rows).execute();
  for (const { id, opens } of plans) if (Array.isArray(opens)) await openTitles(trx, { storeId, planId: id }, opens);
}

/** Has a plan open titles, beside those that it opens already. */
export async function openTitles(trx: Database, plan: { storeId: string; planId: string }, titleIds: string[]): Promise<void> {
  if (titleIds.length === 0) return;
  const rows = titleIds.map((id) => ({ store_id: plan.storeId, plan_id: plan.planId, title_id: id }));
  await trx
    .insertInto('plan_titles')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
