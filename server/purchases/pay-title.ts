import { findTitle } from '../catalogue/find-title.ts';
import { requireShownPrice, type ShownPrice } from '../catalogue/quote.ts';
import { requireDiscountCode, applyDiscount } from '../codes/payment-code.ts';
import type { Database } from '../database/open.ts';
import type { PaymentMethod } from '../database/schema/payments.ts';
import { openGift, readGiftFor } from '../gifts/open-gift.ts';
import { DomainError, notFound } from '../kernel/errors.ts';
import { type Buyer, toEmailOrigin, type Payer } from '../payment/buyer.ts';
import { readCardToken } from '../payment/cards.ts';
import { confirmPayment } from '../payment/confirm.ts';
import { attemptPurchase } from '../payment/gateway-failure.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { requireSelling } from '../payment/require-selling.ts';
import { reload } from '../payment/transactions.ts';
import { addTaxToOrder, readTaxTerms, type TaxFields } from '../tax/tax-order.ts';
import { type StartedPayment, failDeclinedPayment, getOrCreateIntent, requireMethod } from '../payment/intents.ts';
import { openTitlesPayment } from './kinds/titles.ts';

type PricedTitle = { titleId: string; shownPrice: ShownPrice; typedCode?: string | undefined };

export type TitlePurchase = PricedTitle & {
  /** the gift's details: GiftInfo as JSON text; empty or left out: no gift */
  giftInfo?: string | undefined;
  tax: TaxFields;
  method?: 'card' | PaymentMethod;
};

/**
 * Returns a title and its current price less its discount, without tax.
 * @throws DomainError not_found; conflict not_for_sale, free or price_changed; the errors of
 * `requireDiscountCode`
 */
export async function priceTitle(
  db: Database,
  storeId: string,
  payer: Payer,
  { titleId, shownPrice, typedCode = '' }: PricedTitle,
) {
  const title = await findTitle(db, storeId, { id: titleId });
  if (!title) throw notFound('title');
  await requireSelling(db, storeId);
  const discount = typedCode === '' ? undefined : await requireDiscountCode(db, await payer(), typedCode, title.id);
  const { countries } = await readTaxTerms(db, storeId);
  const price = requireShownPrice(discount ? applyDiscount(title, discount.percentOff) : title, shownPrice, countries);
  if (price.amount === 0) throw new DomainError('conflict', 'This title is free.', { code: 'free' });
  return { title, price, code: discount?.code ?? null };
}

/**
 * Returns or creates the open transaction of a title at its current price with tax, and its intent
 * at the gateway.
 */
async function startPayment(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  purchase: TitlePurchase,
  cardToken?: string,
): Promise<StartedPayment> {
  const { storeId, userId } = buyer;
  const { title, price, code } = await priceTitle(services.db, storeId, payer, purchase);
  const order = {
    storeId,
    userId,
    lines: [{ titleId: title.id, amountMinor: price.amount }],
    currency: price.currency,
    code,
    method: requireMethod(services, purchase.method),
  };
  const toTaxedOrder = <Kind extends 'title' | 'gift'>(kind: Kind) =>
    addTaxToOrder(services.db, { ...order, kind }, purchase.tax);
  const transaction = purchase.giftInfo
    ? await openGift(
        services,
        await toTaxedOrder('gift'),
        await readGiftFor(services.db, { storeId, userId }, purchase.giftInfo),
        toEmailOrigin(buyer),
      )
    : await openTitlesPayment(services, await toTaxedOrder('title'));
  return { transaction, intent: await getOrCreateIntent(services, buyer, { description: title.name }, transaction, cardToken) };
}

const toTransactionFilter = ({ titleId }: TitlePurchase) => ({ kinds: ['title', 'gift'], titleId });

/** Starts the payment of a title. No money is charged. */
export const payTitle = (
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  purchase: TitlePurchase,
): Promise<StartedPayment> =>
  attemptPurchase(services, buyer, toTransactionFilter(purchase), () => startPayment(services, buyer, payer, purchase));

/**
 * Buys a title with a saved card: charges and grants it immediately, unless the bank asks for
 * authentication.
 */
export async function payTitleByCard(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  purchase: TitlePurchase,
  cardId: string,
): Promise<StartedPayment> {
  const cardToken = await readCardToken(services.db, buyer, cardId);
  return attemptPurchase(services, buyer, toTransactionFilter(purchase), async () => {
    const { transaction, intent } = await startPayment(services, buyer, payer, purchase, cardToken);
    if (intent.state === 'authorized' || intent.state === 'captured')
      return { transaction: await confirmPayment(services, await reload(services.db, transaction)), intent };
    await failDeclinedPayment(services, transaction, intent);
    return { transaction: await reload(services.db, transaction), intent };
  });
}
