import type { Email } from 'postal-mime';
import type { OperationInput, OperationContext } from '../../../server/admin/operation-input.ts';
import { runOperation } from '../../../server/admin/operations.ts';
import type { Customer } from './customers.ts';
import { readEmailsTo } from './outbox.ts';
import type { Shop } from './shop.ts';

/** Refunds an order as an operator. */
export const refund = (
  shop: Shop,
  store: string,
  order: string,
  extraInput: OperationInput = {},
  operator: OperationContext = shop.services,
) => runOperation(operator, 'purchases refund', { store, order, ...extraInput });

export const selectTransaction = (shop: Shop, id: string) =>
  shop.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** The refunded amount of a payment at the gateway, in the smallest unit of its currency. */
export const readGatewayRefund = async (shop: Shop, id: string): Promise<number | undefined> =>
  (await shop.gateway.port.read((await selectTransaction(shop, id)).intent_id ?? ''))?.refundedMinor;

/** The e-mails about refunds to the customer. */
export const readRefundEmails = async (shop: Shop, { email }: Customer): Promise<Email[]> =>
  (await readEmailsTo(shop, email)).filter(({ subject }) => /refund/i.test(subject ?? ''));
