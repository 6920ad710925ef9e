import { findTitle } from '../catalogue/find-title.ts';
import { priceShown, type ShownPrice } from '../catalogue/quote.ts';
import { discountCode, withDiscount } from '../codes/payment-code.ts';
import type { Database } from '../database/open.ts';
import type { PaymentMethod } from '../database/schema/payments.ts';
import { openGift, readGiftFor } from '../gifts/open-gift.ts';
import { DomainError, notFound } from '../kernel/errors.ts';
import { type Buyer, fromOf, type Payer } from '../payment/buyer.ts';
import { tokenOfCard } from '../payment/cards.ts';
import { confirm } from '../payment/confirm.ts';
import { attempt } from '../payment/gateway-failure.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { requireSelling } from '../payment/require-selling.ts';
import { reload } from '../payment/transactions.ts';
import { taxedOrder, taxTerms, type TaxTold } from '../tax/tax-order.ts';
import { type Begun, endDeclined, intentFor, methodOf } from '../payment/intents.ts';
import { openTitles } from './kinds/titles.ts';

type Priced = { titleId: string; shown: ShownPrice; typedCode?: string | undefined };

export type TitlePurchase = Priced & {
  /** For whom else it is: GiftInfo as JSON text; empty or left out, it is for the customer. */
  giftInfo?: string | undefined;
  tax: TaxTold;
  method?: 'card' | PaymentMethod;
};

/** A title at today's price, less what a code takes off; without tax. */
export async function pricedTitle(db: Database, storeId: string, payer: Payer, { titleId, shown, typedCode = '' }: Priced) {
  const title = await findTitle(db, storeId, { id: titleId });
  if (!title) throw notFound('title');
  await requireSelling(db, storeId);
  const discount = typedCode === '' ? undefined : await discountCode(db, await payer(), typedCode, title.id);
  const { countries } = await taxTerms(db, storeId);
  const price = priceShown(discount ? withDiscount(title, discount.percentOff) : title, shown, countries);
  if (price.amount === 0) throw new DomainError('conflict', 'This title is free.', { code: 'free' });
  return { title, price, code: discount?.code ?? null };
}

/** The customer's open transaction for a title, at today's price with tax, and its intent. */
async function begin(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  purchase: TitlePurchase,
  cardToken?: string,
): Promise<Begun> {
  const { storeId, userId } = buyer;
  const { title, price, code } = await pricedTitle(services.db, storeId, payer, purchase);
  const order = {
    storeId,
    userId,
    lines: [{ titleId: title.id, amountMinor: price.amount }],
    currency: price.currency,
    code,
    method: methodOf(services, purchase.method),
  };
  const taxed = <Kind extends 'title' | 'gift'>(kind: Kind) => taxedOrder(services.db, { ...order, kind }, purchase.tax);
  const transaction = purchase.giftInfo
    ? await openGift(
        services,
        await taxed('gift'),
        await readGiftFor(services.db, { storeId, userId }, purchase.giftInfo),
        fromOf(buyer),
      )
    : await openTitles(services, await taxed('title'));
  return { transaction, intent: await intentFor(services, buyer, { description: title.name }, transaction, cardToken) };
}

const attempted = ({ titleId }: TitlePurchase) => ({ kinds: ['title', 'gift'], titleId });

/** Begins the payment of a title. Nothing is charged. */
export const payTitle = (services: PaymentServices, buyer: Buyer, payer: Payer, purchase: TitlePurchase): Promise<Begun> =>
  attempt(services, buyer, attempted(purchase), () => begin(services, buyer, payer, purchase));

/**
 * Buys a title by a kept card: charges and grants at once, unless the bank first asks for more.
 */
export async function payTitleByCard(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  purchase: TitlePurchase,
  cardId: string,
): Promise<Begun> {
  const cardToken = await tokenOfCard(services.db, buyer, cardId);
  return attempt(services, buyer, attempted(purchase), async () => {
    const { transaction, intent } = await begin(services, buyer, payer, purchase, cardToken);
    if (intent.state === 'authorized' || intent.state === 'captured')
      return { transaction: await confirm(services, await reload(services.db, transaction)), intent };
    await endDeclined(services, transaction, intent);
    return { transaction: await reload(services.db, transaction), intent };
  });
}
