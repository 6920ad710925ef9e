import { requireFirstPrice } from '../../catalogue/quote.ts';
import { findTitle } from '../../catalogue/find-title.ts';
import { formatAmount } from '../../base/money.ts';
import { getTranslator } from '../../base/words.ts';
import { renderPrices, renderTitleSummary } from '../../catalogue/title-xml.ts';
import { codeMisfitError, findCode, type Code } from '../../codes/find-code.ts';
import { readOffer, type Offer } from '../../redeeming/offer.ts';
import { computeDiscount, applyDiscount } from '../../codes/payment-code.ts';
import { redeemCode } from '../../redeeming/redeem-code.ts';
import { readGiverName, formatNamelessGiver } from '../../gifts/gift-email.ts';
import { readCreditsPerRenewal } from '../../entitlements/subscription.ts';
import { renderElement, renderFields, renderItems, Markup } from '../../base/xml/write.ts';
import type { Answer, Call, CustomerCall } from '../calls/call.ts';
import { findCaller } from '../calls/caller.ts';
import { renderPlan } from './plans.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';

const findEnteredCode = async (call: Call, enteredCode: string): Promise<Code> =>
  findCode(call.services.db, await findCaller(call), enteredCode);

/**
 * Returns the discount on a title's price, and the remaining prices; undefined without a title or a
 * discount.
 */
async function readDiscount({ services, store }: Call, { percent_off: percent }: Code, titleId: string | undefined) {
  if (titleId === undefined || percent === null) return undefined;
  const title = await findTitle(services.db, store.id, { id: titleId });
  if (!title) throw notFound('title');
  const { amount, currency } = requireFirstPrice(title);
  return {
    AmountOff: new Markup(formatAmount(computeDiscount(amount, percent), currency)),
    Prices: renderPrices(applyDiscount(title, percent).prices),
  };
}

/** Reads the giver and the message of a gift; undefined if the code is not a gift's. */
async function readGiver({ services, store, spoken }: Call, { code }: Code) {
  const gift = await services.db
    .selectFrom('gifts')
    .select(['giver_id', 'message'])
    .where('store_id', '=', store.id)
    .where('code', '=', code)
    .executeTakeFirst();
  if (!gift) return undefined;
  const name = await readGiverName(services.db, store.id, gift.giver_id);
  return { Giver: name || formatNamelessGiver(getTranslator(spoken.language)), Message: gift.message || undefined };
}

async function renderRedemption(call: Call, offer: Offer, titleId?: string): Promise<Markup> {
  const { services, store, spoken } = call;
  const { code, titles, ownedTitleIds, plan, isRedeemed, instanceId } = offer;
  const summaries = titles.map((row) => renderTitleSummary(store.id, row).text).join('');
  const renderedPlan = plan && renderPlan(plan, spoken, await readCreditsPerRenewal(services.db, store.id));
  return renderElement('Redemption', [
    renderFields({
      Kind: code.kind,
      PercentOff: code.percent_off,
      ...(await readDiscount(call, code, titleId)),
      PlanId: code.plan_id,
      TrialDays: code.trial_days,
      Credits: code.credits,
      Redeemed: isRedeemed,
      InstanceId: instanceId,
      Titles: summaries === '' ? undefined : new Markup(summaries),
      Owned: renderItems('TitleId', ownedTitleIds),
      ...(await readGiver(call, code)),
    }),
    ...(renderedPlan ? [renderedPlan] : []),
  ]);
}

/** Returns the benefit of a code, without redeeming it; no sign-in is required. */
export async function applyCode(call: Call<'applyCode'>): Answer<'applyCode'> {
  const { query, customer, services } = call;
  const code = await findEnteredCode(call, query.code);
  if (query.subscription === true && code.kind !== 'subscription') throw codeMisfitError();
  const offer = await readOffer(services.db, code, customer?.id);
  const { titleid } = query;
  const isForOtherTitle = offer.titles.length > 0 && !offer.titles.some(({ id }) => id === titleid);
  if (titleid !== undefined && (isForOtherTitle || code.kind === 'subscription' || code.kind === 'credits'))
    throw codeMisfitError();
  return renderRedemption(call, offer, titleid);
}

/** Redeems a code for a title, or for all titles of a bundle, and returns the copies. */
async function redeemTitle(call: CustomerCall, enteredCode: string, chosenTitleId?: string): Promise<Markup> {
  const { services, store, customer, request } = call;
  const code = await findEnteredCode(call, enteredCode);
  if (code.kind !== 'title' && code.kind !== 'titles' && code.kind !== 'bundle') throw codeMisfitError();
  const redeemer = { storeId: store.id, userId: customer.id, address: request.ip };
  const { redeemed_at: redeemedAt } = await redeemCode(services, redeemer, code, chosenTitleId);
  const { titles, copies } = await readOffer(services.db, code, customer.id);
  const purchases = titles.flatMap((title) => {
    const copy = copies.get(title.id);
    if (copy === undefined) return [];
    const purchase = { InstanceId: copy, TitleId: title.id, PurchasedAt: redeemedAt.toISOString(), Progress: 0 };
    return renderElement('Purchase', [renderFields(purchase), renderTitleSummary(store.id, title)]);
  });
  if (purchases.length === 0) throw new DomainError('conflict', 'This code has been used already.', { code: 'code_used' });
  return renderElement('Purchases', purchases, { total: purchases.length });
}

/**
 * Redeems a code for its title.
 * @throws DomainError conflict choose_title if the code offers several titles, code_misfit if it
 * offers none; the other errors of `findCode` and `redeemCode`
 */
export const redeemFreeTitle = (call: CustomerCall<'redeemFreeTitle'>): Answer<'redeemFreeTitle'> =>
  redeemTitle(call, call.query.code);

/** Redeems a code for one of the titles that it offers. */
export const redeemFreeTitles = (call: CustomerCall<'redeemFreeTitles'>): Answer<'redeemFreeTitles'> =>
  redeemTitle(call, call.query.RedeemPin, call.query.titleId);

/** Redeems a code for its credits, or for a subscription without a card. */
export async function redeemBenefit(call: CustomerCall<'redeemBenefit'>): Answer<'redeemBenefit'> {
  const { services, store, customer, request, body } = call;
  const code = await findEnteredCode(call, body.Code);
  if (code.kind !== 'credits' && code.kind !== 'subscription') throw codeMisfitError();
  await redeemCode(services, { storeId: store.id, userId: customer.id, address: request.ip }, code);
  return renderRedemption(call, await readOffer(services.db, code, customer.id));
}
