import { amountText, currencySymbol } from '../../base/money.ts';
import type { Database } from '../../database/open.ts';
import type { PlanOffered } from '../../subscriptions/offered-plan.ts';
import { htmlIn, textIn, type Spoken } from '../../base/language.ts';
import { creditsPerRenewal } from '../../entitlements/held.ts';
import { titlesNamed, titlesOpened } from '../../entitlements/opened-titles.ts';
import { element, fields, Markup } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';

/** The plans that a store offers. */
const offered = (db: Database, storeId: string) =>
  db
    .selectFrom('plans')
    .selectAll()
    .select([titlesNamed, titlesOpened])
    .where('store_id', '=', storeId)
    .where('active', '=', true);

const titlesOf = ({ titles_opened: opened }: PlanOffered): Markup | undefined =>
  opened && opened.length > 0
    ? new Markup(opened.map(({ id, name }) => element('Title', [fields({ TitleId: id, Name: name })]).text).join(''))
    : undefined;

/** A plan as the wire has it. */
export const planElement = (plan: PlanOffered, spoken: Spoken, usualCredits: number): Markup =>
  element('Plan', [
    fields({
      PlanId: plan.id,
      Name: textIn(plan, 'name', spoken),
      Description: htmlIn(plan, 'description', spoken) || undefined,
      Amount: new Markup(amountText(plan.amount_minor, plan.currency)),
      Currency: plan.currency,
      CurrencySymbol: currencySymbol(plan.currency),
      Interval: plan.period,
      TrialDays: plan.trial_days,
      Credits: plan.credits ?? usualCredits,
      OpensAll: plan.opens_all || undefined,
      OpensTitles: plan.titles_named || undefined,
      Titles: titlesOf(plan),
    }),
  ]);

/** All plans on offer, in the order shown. */
export async function plans({ services, store, spoken }: Call<'plans'>): Answer<'plans'> {
  const rows = await offered(services.db, store.id).orderBy('position').orderBy('id').execute();
  const credits = await creditsPerRenewal(services.db, store.id);
  return element(
    'Plans',
    rows.map((plan) => planElement(plan, spoken, credits)),
  );
}

/** One plan. @throws DomainError not_found for one that is not on offer */
export async function planById({ services, store, spoken, path }: Call<'planById'>): Answer<'planById'> {
  const plan = await offered(services.db, store.id).where('id', '=', path.planId).executeTakeFirst();
  if (!plan) throw notFound('plan');
  return planElement(plan, spoken, await creditsPerRenewal(services.db, store.id));
}
