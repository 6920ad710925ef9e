import { giftReturnPath, paymentReturnPath } from '../../machines/model/paths.ts';
import { findTitle, type FullTitle } from '../catalogue/find-title.ts';
import { priceShown, type ShownPrice } from '../catalogue/quote.ts';
import { discountCode, withDiscount } from '../redeeming/payment-code.ts';
import { type NewGift, readGiftText } from '../gifts/gift-info.ts';
import { openGift, requireGiving } from '../gifts/open-gift.ts';
import { shopName } from '../catalogue/shop-name.ts';
import { gatewayCustomer } from '../payment/cards.ts';
import { refusalOf } from '../payment/confirm.ts';
import { boughtElsewhere } from '../payment/open-transaction.ts';
import { openTitles } from '../purchases/titles.ts';
import { originOf } from '../stores/origin.ts';
import { taxedOrder, taxTerms, type TaxTold } from '../tax/tax-order.ts';
import type { PaymentMethod } from '../database/schema/payments.ts';
import type { Intent, Terms } from '../payment/port.ts';
import { addressReceipt } from '../payment/receipt.ts';
import { follow, releaseAtGateway } from '../payment/reconcile.ts';
import { requireSelling } from '../payment/require-selling.ts';
import { isOpen, move, referenceOf, type Transaction } from '../payment/transactions.ts';
import type { Answer, CustomerCall } from './call.ts';
import { callerOf } from './caller.ts';
import { DomainError, notFound } from '../kernel/errors.ts';
import { explainGatewayFailure } from './gateway-unavailable.ts';

type Purchase = {
  titleId: string;
  shown: ShownPrice;
  typedCode?: string | undefined;
  /** For whom else it is: GiftInfo as JSON text; empty or left out, it is for the customer. */
  giftInfo?: string | undefined;
  tax: TaxTold;
  method?: 'card' | PaymentMethod;
};

/** How it is to be paid on the gateway's page. @throws DomainError bad_request for a way that the store's gateway does not offer */
export function methodOf({ services }: CustomerCall, method: 'card' | PaymentMethod = 'card'): 'card' | PaymentMethod {
  if (method !== 'card' && !services.payment.methods.includes(method))
    throw new DomainError('bad_request', 'Payments are not taken in this way here.');
  return method;
}

/** The customer who pays with a code, and how their guesses are counted. */
export const payerOf = async (call: CustomerCall) => ({ ...(await callerOf(call)), userId: call.customer.id });

const discountOf = async (call: CustomerCall, titleId: string, typed = '') =>
  typed === '' ? undefined : discountCode(call.services.db, await payerOf(call), typed, titleId);

/** A title at today's price, less what a code takes off; without tax. */
export async function pricedTitle(call: CustomerCall, purchase: Omit<Purchase, 'giftInfo' | 'tax' | 'method'>) {
  const { services, store } = call;
  const title = await findTitle(services.db, store.id, { id: purchase.titleId });
  if (!title) throw notFound('title');
  await requireSelling(services.db, store.id);
  const discount = await discountOf(call, title.id, purchase.typedCode);
  const { countries } = await taxTerms(services.db, store.id);
  const price = priceShown(discount ? withDiscount(title, discount.percentOff) : title, purchase.shown, countries);
  if (price.amount === 0) throw new DomainError('conflict', 'This title is free.', { code: 'free' });
  return { title, price, code: discount?.code ?? null };
}

/** The title, and the customer's open transaction for it at today's price with tax. */
export async function beginPurchase(
  call: CustomerCall,
  purchase: Purchase,
): Promise<{ title: FullTitle; transaction: Transaction }> {
  const { services, store, customer } = call;
  const { title, price, code } = await pricedTitle(call, purchase);
  const order = {
    storeId: store.id,
    userId: customer.id,
    lines: [{ titleId: title.id, amountMinor: price.amount }],
    currency: price.currency,
    code,
    method: methodOf(call, purchase.method),
  };
  const taxed = <Kind extends 'title' | 'gift'>(kind: Kind) => taxedOrder(services.db, { ...order, kind }, purchase.tax);
  const transaction = purchase.giftInfo
    ? await openGift(services, await taxed('gift'), await giftOfCall(call, purchase.giftInfo), fromOf(call))
    : await openTitles(services, await taxed('title'));
  return { title, transaction };
}

/**
 * The gift that a call is for.
 * @throws DomainError conflict gifting_off, giver_link or gift_day, bad_request gift_info or gift_link
 */
export async function giftOfCall({ services, store, customer }: CustomerCall, giftInfo: string): Promise<NewGift> {
  await requireGiving(services.db, { storeId: store.id, userId: customer.id });
  return readGiftText(giftInfo);
}

/** Where the letter of a gift leads back to, and in which words. */
export const fromOf = ({ store, request, services, spoken }: CustomerCall) => ({
  language: spoken.language,
  origin: originOf(store, request, services.config),
});

/** What a payment is for, in the words of the gateway's page; `returnPath` is where that leads back to. */
type GatewayOrder = { description: string; returnPath: string; subscription?: Terms };

export const orderOf = (title: FullTitle, { id, kind }: Transaction): GatewayOrder => ({
  description: title.name,
  returnPath: kind === 'gift' ? giftReturnPath(id) : paymentReturnPath(id),
});

/**
 * The transaction's intent at the gateway; the one that is there already when the call is repeated.
 * @throws DomainError conflict when another window has ended the transaction meanwhile: nothing may be paid for it any more;
 * payment_failed when this kept card was the last that the gateway tries
 */
export async function intentFor(
  call: CustomerCall,
  { description, returnPath, subscription }: GatewayOrder,
  transaction: Transaction,
  cardToken?: string,
): Promise<Intent> {
  const { services, store, spoken, customer, request } = call;
  const origin = originOf(store, request, services.config);
  await addressReceipt(services.db, transaction, { language: spoken.language, origin });
  const intent = await services.payment.create({
    reference: referenceOf(transaction),
    amountMinor: transaction.amount_minor,
    currency: transaction.currency,
    description,
    shopName: await shopName(services.db, store.id, spoken),
    returnUrl: origin + returnPath,
    language: request.headers['accept-language']?.slice(0, 100) || '*',
    customer: gatewayCustomer({ storeId: store.id, userId: customer.id }),
    ...(transaction.method === 'card' ? {} : { method: transaction.method }),
    ...(cardToken === undefined ? {} : { cardToken }),
    ...(subscription === undefined ? {} : { subscription }),
  });
  const followed = await follow(services, transaction, intent);
  if (isOpen(followed) || followed.status === 'paid') return intent;
  const released = await releaseAtGateway(services, followed);
  if (released.status === 'paid') return intent;
  throw released.status === 'failed' && cardToken !== undefined ? refusalOf(released) : boughtElsewhere();
}

/**
 * A kept card that is declined ends its payment: there is no page on which to try another.
 * @throws DomainError payment_failed when it was
 */
export async function endDeclined({ services }: CustomerCall, transaction: Transaction, intent: Intent): Promise<void> {
  if (intent.state !== 'open' || intent.reason === null) return;
  await services.payment.cancel(intent.id);
  throw refusalOf(await move(services.db, transaction, ['pending'], 'failed', intent.reason));
}

/** Begins the purchase of a title: a transaction, and the gateway's page to pay it on. Nothing is charged. */
export async function paymentSession(call: CustomerCall<'paymentSession'>): Answer<'paymentSession'> {
  const { query } = call;
  try {
    const { title, transaction } = await beginPurchase(call, {
      titleId: query.titleId,
      shown: { amount: query.price, currency: query.currency },
      typedCode: query.code,
      giftInfo: query.giftInfo,
      tax: query,
      method: query.method ?? 'card',
    });
    const intent = await intentFor(call, orderOf(title, transaction), transaction);
    return { transId: transaction.id, provider: transaction.provider, url: intent.url };
  } catch (error) {
    throw await explainGatewayFailure(call, { titleId: query.titleId }, error);
  }
}
