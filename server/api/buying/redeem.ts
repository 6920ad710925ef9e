import { firstPrice } from '../../catalogue/quote.ts';
import { findTitle } from '../../catalogue/find-title.ts';
import { amountText } from '../../base/money.ts';
import { translatorTo } from '../../base/words.ts';
import { priceList, titleSummary } from '../../catalogue/title-xml.ts';
import { codeMisfit, findCode, type Code } from '../../codes/find-code.ts';
import { offerOf, type Offer } from '../../redeeming/offer.ts';
import { amountOff, withDiscount } from '../../codes/payment-code.ts';
import { redeemCode } from '../../redeeming/redeem-code.ts';
import { giverName, namelessGiver } from '../../gifts/letter.ts';
import { creditsPerRenewal } from '../../entitlements/held.ts';
import { element, fields, listOf, Markup } from '../../base/xml/write.ts';
import type { Answer, Call, CustomerCall } from '../calls/call.ts';
import { callerOf } from '../calls/caller.ts';
import { planElement } from './plans.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';

const codeOf = async (call: Call, typed: string): Promise<Code> => findCode(call.services.db, await callerOf(call), typed);

/** What a discount takes off a title's price, and leaves of each; undefined where there is none. */
async function discountOn({ services, store }: Call, { percent_off: percent }: Code, titleId: string | undefined) {
  if (titleId === undefined || percent === null) return undefined;
  const title = await findTitle(services.db, store.id, { id: titleId });
  if (!title) throw notFound('title');
  const { amount, currency } = firstPrice(title);
  return {
    AmountOff: new Markup(amountText(amountOff(amount, percent), currency)),
    Prices: priceList(withDiscount(title, percent).prices),
  };
}

/** Of a gift, who gave it and what they wish. */
async function giverOf({ services, store, spoken }: Call, { code }: Code) {
  const gift = await services.db
    .selectFrom('gifts')
    .select(['giver_id', 'message'])
    .where('store_id', '=', store.id)
    .where('code', '=', code)
    .executeTakeFirst();
  if (!gift) return undefined;
  const name = await giverName(services.db, store.id, gift.giver_id);
  return { Giver: name || namelessGiver(translatorTo(spoken.language)), Message: gift.message || undefined };
}

async function redemptionElement(call: Call, offer: Offer, titleId?: string): Promise<Markup> {
  const { services, store, spoken } = call;
  const { code, titles, owned, plan, isRedeemed, instanceId } = offer;
  const summaries = titles.map((row) => titleSummary(store.id, row).text).join('');
  const told = plan && planElement(plan, spoken, await creditsPerRenewal(services.db, store.id));
  return element('Redemption', [
    fields({
      Kind: code.kind,
      PercentOff: code.percent_off,
      ...(await discountOn(call, code, titleId)),
      PlanId: code.plan_id,
      TrialDays: code.trial_days,
      Credits: code.credits,
      Redeemed: isRedeemed,
      InstanceId: instanceId,
      Titles: summaries === '' ? undefined : new Markup(summaries),
      Owned: listOf('TitleId', owned),
      ...(await giverOf(call, code)),
    }),
    ...(told ? [told] : []),
  ]);
}

/** What a code gives: nothing is used up, and nobody has to sign in to hear it. */
export async function applyCode(call: Call<'applyCode'>): Answer<'applyCode'> {
  const { query, customer, services } = call;
  const code = await codeOf(call, query.code);
  if (query.subscription === true && code.kind !== 'subscription') throw codeMisfit();
  const offer = await offerOf(services.db, code, customer?.id);
  const { titleid } = query;
  const isForAnother = offer.titles.length > 0 && !offer.titles.some(({ id }) => id === titleid);
  if (titleid !== undefined && (isForAnother || code.kind === 'subscription' || code.kind === 'credits')) throw codeMisfit();
  return redemptionElement(call, offer, titleid);
}

/** Uses a code for a title of its own, or all of them where it gives all, and answers the copies. */
async function redeemTitle(call: CustomerCall, typed: string, chosen?: string): Promise<Markup> {
  const { services, store, customer, request } = call;
  const code = await codeOf(call, typed);
  if (code.kind !== 'title' && code.kind !== 'titles' && code.kind !== 'bundle') throw codeMisfit();
  const redeemer = { storeId: store.id, userId: customer.id, address: request.ip };
  const { redeemed_at: redeemedAt } = await redeemCode(services, redeemer, code, chosen);
  const { titles, copies } = await offerOf(services.db, code, customer.id);
  const purchases = titles.flatMap((title) => {
    const copy = copies.get(title.id);
    if (copy === undefined) return [];
    const purchase = { InstanceId: copy, TitleId: title.id, PurchasedAt: redeemedAt.toISOString(), Progress: 0 };
    return element('Purchase', [fields(purchase), titleSummary(store.id, title)]);
  });
  if (purchases.length === 0) throw new DomainError('conflict', 'This code has been used already.', { code: 'code_used' });
  return element('Purchases', purchases, { total: purchases.length });
}

/** Uses a code for its title. @throws DomainError conflict choose_title where it offers several */
export const redeemFreeTitle = (call: CustomerCall<'redeemFreeTitle'>): Answer<'redeemFreeTitle'> =>
  redeemTitle(call, call.query.code);

/** Uses a code for the title that was chosen among those it offers. */
export const redeemFreeTitles = (call: CustomerCall<'redeemFreeTitles'>): Answer<'redeemFreeTitles'> =>
  redeemTitle(call, call.query.RedeemPin, call.query.titleId);

/** Uses a code for its credits, or for a subscription that takes no card. */
export async function redeemBenefit(call: CustomerCall<'redeemBenefit'>): Answer<'redeemBenefit'> {
  const { services, store, customer, request, body } = call;
  const code = await codeOf(call, body.Code);
  if (code.kind !== 'credits' && code.kind !== 'subscription') throw codeMisfit();
  await redeemCode(services, { storeId: store.id, userId: customer.id, address: request.ip }, code);
  return redemptionElement(call, await offerOf(services.db, code, customer.id));
}
