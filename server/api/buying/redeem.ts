import { requireFirstPrice } from '../../catalogue/quote.ts';
import { findTitle } from '../../catalogue/find-title.ts';
import { formatAmount } from '../../base/money.ts';
import { getTranslator } from '../../base/words.ts';
import { renderPrices, renderTitleSummary } from '../../catalogue/title-xml.ts';
import { codeMisfit, findCode, type Code } from '../../codes/find-code.ts';
import { readOffer, type Offer } from '../../redeeming/offer.ts';
import { amountOff, applyDiscount } from '../../codes/payment-code.ts';
import { redeemCode } from '../../redeeming/redeem-code.ts';
import { readGiverName, formatNamelessGiver } from '../../gifts/gift-email.ts';
import { readCreditsPerRenewal } from '../../entitlements/held.ts';
import { element, fields, renderItems, Markup } from '../../base/xml/write.ts';
import type { Answer, Call, CustomerCall } from '../calls/call.ts';
import { findCaller } from '../calls/caller.ts';
import { renderPlan } from './plans.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';

const findTypedCode = async (call: Call, typed: string): Promise<Code> =>
  findCode(call.services.db, await findCaller(call), typed);

/**
 * The discount on a title's price, and the price that remains; undefined where there is no
 * discount.
 */
async function readDiscount({ services, store }: Call, { percent_off: percent }: Code, titleId: string | undefined) {
  if (titleId === undefined || percent === null) return undefined;
  const title = await findTitle(services.db, store.id, { id: titleId });
  if (!title) throw notFound('title');
  const { amount, currency } = requireFirstPrice(title);
  return {
    AmountOff: new Markup(formatAmount(amountOff(amount, percent), currency)),
    Prices: renderPrices(applyDiscount(title, percent).prices),
  };
}

/** The giver of a gift, and their message. */
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
  const { code, titles, owned, plan, isRedeemed, instanceId } = offer;
  const summaries = titles.map((row) => renderTitleSummary(store.id, row).text).join('');
  const remote = plan && renderPlan(plan, spoken, await readCreditsPerRenewal(services.db, store.id));
  return element('Redemption', [
    fields({
      Kind: code.kind,
      PercentOff: code.percent_off,
      ...(await readDiscount(call, code, titleId)),
      PlanId: code.plan_id,
      TrialDays: code.trial_days,
      Credits: code.credits,
      Redeemed: isRedeemed,
      InstanceId: instanceId,
      Titles: summaries === '' ? undefined : new Markup(summaries),
      Owned: renderItems('TitleId', owned),
      ...(await readGiver(call, code)),
    }),
    ...(remote ? [remote] : []),
  ]);
}

/** Returns the benefit of a code. It is not used up, and no sign-in is required. */
export async function applyCode(call: Call<'applyCode'>): Answer<'applyCode'> {
  const { query, customer, services } = call;
  const code = await findTypedCode(call, query.code);
  if (query.subscription === true && code.kind !== 'subscription') throw codeMisfit();
  const offer = await readOffer(services.db, code, customer?.id);
  const { titleid } = query;
  const isForAnother = offer.titles.length > 0 && !offer.titles.some(({ id }) => id === titleid);
  if (titleid !== undefined && (isForAnother || code.kind === 'subscription' || code.kind === 'credits')) throw codeMisfit();
  return renderRedemption(call, offer, titleid);
}

/** Redeems a code for a title, or for all titles of a bundle, and returns the copies. */
async function redeemTitle(call: CustomerCall, typed: string, chosen?: string): Promise<Markup> {
  const { services, store, customer, request } = call;
  const code = await findTypedCode(call, typed);
  if (code.kind !== 'title' && code.kind !== 'titles' && code.kind !== 'bundle') throw codeMisfit();
  const redeemer = { storeId: store.id, userId: customer.id, address: request.ip };
  const { redeemed_at: redeemedAt } = await redeemCode(services, redeemer, code, chosen);
  const { titles, copies } = await readOffer(services.db, code, customer.id);
  const purchases = titles.flatMap((title) => {
    const copy = copies.get(title.id);
    if (copy === undefined) return [];
    const purchase = { InstanceId: copy, TitleId: title.id, PurchasedAt: redeemedAt.toISOString(), Progress: 0 };
    return element('Purchase', [fields(purchase), renderTitleSummary(store.id, title)]);
  });
  if (purchases.length === 0) throw new DomainError('conflict', 'This code has been used already.', { code: 'code_used' });
  return element('Purchases', purchases, { total: purchases.length });
}

/**
 * Redeems a code for its title. @throws DomainError conflict choose_title where it offers several
 */
export const redeemFreeTitle = (call: CustomerCall<'redeemFreeTitle'>): Answer<'redeemFreeTitle'> =>
  redeemTitle(call, call.query.code);

/** Redeems a code for one of the titles that it offers. */
export const redeemFreeTitles = (call: CustomerCall<'redeemFreeTitles'>): Answer<'redeemFreeTitles'> =>
  redeemTitle(call, call.query.RedeemPin, call.query.titleId);

/** Redeems a code for its credits, or for a subscription without a card. */
export async function redeemBenefit(call: CustomerCall<'redeemBenefit'>): Answer<'redeemBenefit'> {
  const { services, store, customer, request, body } = call;
  const code = await findTypedCode(call, body.Code);
  if (code.kind !== 'credits' && code.kind !== 'subscription') throw codeMisfit();
  await redeemCode(services, { storeId: store.id, userId: customer.id, address: request.ip }, code);
  return renderRedemption(call, await readOffer(services.db, code, customer.id));
}
