import type { Email } from 'postal-mime';
import type { Given, Operator } from '../../../server/admin/given.ts';
import { operate } from '../../../server/admin/operations.ts';
import type { Customer } from './customers.ts';
import { sentTo } from './outbox.ts';
import type { Shop } from './shop.ts';

/** An operator gives an order back. */
export const refund = (shop: Shop, store: string, order: string, more: Given = {}, operator: Operator = shop.services) =>
  operate(operator, 'purchases refund', { store, order, ...more });

export const transactionOf = (shop: Shop, id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** What the gateway has given back of a payment. */
export const givenBack = async (shop: Shop, id: string): Promise<number | undefined> =>
  (await shop.gateway.port.read((await transactionOf(shop, id)).intent_id ?? ''))?.refundedMinor;

/** The letters that tell of refunds. */
export const refundLetters = async (shop: Shop, { email }: Customer): Promise<Email[]> =>
  (await sentTo(shop, email)).filter(({ subject }) => /refund/i.test(subject ?? ''));
