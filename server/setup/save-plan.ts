import type { Database } from '../database/open.ts';
import { toMinor } from '../base/money.ts';
import { requireCurrencies } from './store-currencies.ts';
import { type TextByLanguage, type LanguageCode, readTexts } from '../base/language.ts';

/** A plan that customers subscribe to. */
export type NewPlan = {
  id: string;
  name: TextByLanguage;
  /** description; may be HTML */
  description?: TextByLanguage;
  /** in the main unit, per period */
  price: { amount: number; currency: string };
  period: 'week' | 'month' | 'quarter' | 'year';
  /** trial days before the first payment */
  trialDays?: number;
  /** credits given with each renewal; left out, the store's number for any plan */
  credits?: number;
  /** ids of the titles that its subscribers may read, or every listed title */
  opens?: 'all' | string[];
};

/**
 * Saves a store's plans, in display order.
 * @throws BadText for invalid texts; BadAmount
 */
export async function savePlans(trx: Database, storeId: string, plans: NewPlan[], main: LanguageCode): Promise<void> {
  await requireCurrencies(
    trx,
    storeId,
    plans.map(({ price }) => price),
  );
  const rows = plans.map(({ id, name, description, price, period, trialDays, credits, opens }, position) => {
    const texts = readTexts(`The plan ${id}`, { name, description: description ?? '' }, main);
    return {
      ...texts,
      store_id: storeId,
      id,
      translations: JSON.stringify(texts.translations),
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
  for (const { id, opens } of plans) if (Array.isArray(opens)) await addPlanTitles(trx, { storeId, planId: id }, opens);
}

/** Adds titles to those that a plan includes. */
export async function addPlanTitles(trx: Database, plan: { storeId: string; planId: string }, titleIds: string[]): Promise<void> {
  if (titleIds.length === 0) return;
  const rows = titleIds.map((id) => ({ store_id: plan.storeId, plan_id: plan.planId, title_id: id }));
  await trx
    .insertInto('plan_titles')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
