import { formatAmount, currencySymbol } from '../../base/money.ts';
import type { Database } from '../../database/open.ts';
import type { OfferedPlan } from '../../subscriptions/offered-plan.ts';
import { hasSubscribed } from '../../subscriptions/open.ts';
import { localizeHtml, localizeText, type StoreLanguage } from '../../base/language.ts';
import { readCreditsPerRenewal } from '../../entitlements/subscription.ts';
import { countNamedTitles, selectOpenedTitles } from '../../entitlements/opened-titles.ts';
import { renderElement, renderFields, Markup } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { notFound } from '../../kernel/errors.ts';

/** Selects the plans that a store offers. */
const selectOfferedPlans = (db: Database, storeId: string) =>
  db
    .selectFrom('plans')
    .selectAll()
    .select([countNamedTitles, selectOpenedTitles])
    .where('store_id', '=', storeId)
    .where('active', '=', true);

const renderTitles = ({ titles_opened: openedTitles }: OfferedPlan): Markup | undefined =>
  openedTitles && openedTitles.length > 0
    ? new Markup(
        openedTitles.map(({ id, name }) => renderElement('Title', [renderFields({ TitleId: id, Name: name })]).text).join(''),
      )
    : undefined;

/** Returns whether the customer would begin with a plan's trial; undefined for visitors. */
const isEligibleForTrial = async ({ services, store, customer }: Pick<Call, 'services' | 'store' | 'customer'>) =>
  customer && !(await hasSubscribed(services.db, { storeId: store.id, userId: customer.id }));

/**
 * Renders a plan in its wire format.
 * @param usualCredits credits of a renewal if the plan does not define a number
 * @param trialApplies whether this customer would begin with the plan's trial
 */
export const renderPlan = (plan: OfferedPlan, spoken: StoreLanguage, usualCredits: number, trialApplies?: boolean): Markup =>
  renderElement('Plan', [
    renderFields({
      PlanId: plan.id,
      Name: localizeText(plan, 'name', spoken),
      Description: localizeHtml(plan, 'description', spoken) || undefined,
      Amount: new Markup(formatAmount(plan.amount_minor, plan.currency)),
      Currency: plan.currency,
      CurrencySymbol: currencySymbol(plan.currency),
      Interval: plan.period,
      TrialDays: plan.trial_days,
      TrialApplies: plan.trial_days > 0 ? trialApplies : undefined,
      Credits: plan.credits ?? usualCredits,
      OpensAll: plan.opens_all || undefined,
      OpensTitles: plan.titles_named || undefined,
      Titles: renderTitles(plan),
    }),
  ]);

/** Returns all plans on offer, in display order. */
export async function plans(call: Call<'plans'>): Answer<'plans'> {
  const { services, store, spoken } = call;
  const rows = await selectOfferedPlans(services.db, store.id).orderBy('position').orderBy('id').execute();
  const credits = await readCreditsPerRenewal(services.db, store.id);
  const trialApplies = await isEligibleForTrial(call);
  return renderElement(
    'Plans',
    rows.map((plan) => renderPlan(plan, spoken, credits, trialApplies)),
  );
}

/** Returns a plan. @throws DomainError not_found for a plan that is not on offer */
export async function planById(call: Call<'planById'>): Answer<'planById'> {
  const { services, store, spoken, path } = call;
  const plan = await selectOfferedPlans(services.db, store.id).where('id', '=', path.planId).executeTakeFirst();
  if (!plan) throw notFound('plan');
  return renderPlan(plan, spoken, await readCreditsPerRenewal(services.db, store.id), await isEligibleForTrial(call));
}
