import { expect, onTestFinished, test } from 'vitest';
import type { Intent, PaymentPort } from '../../../server/payment/port.ts';
import { findUnfinishedWork } from '../../faults/leftovers.ts';
import { createCustomer } from '../support/customers.ts';
import { authorizePayment, confirmPayment } from '../support/paying.ts';
import { openShop } from '../support/shop.ts';

test('money that the gateway does not release, and a ledger without a payment, are reported after the last sweeps', async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const store = await shop.store();
  const [sound, reserved, unbooked] = [
    await createCustomer(shop, store),
    await createCustomer(shop, store),
    await createCustomer(shop, store),
  ];
  const { port } = shop.gateway;
  const leftBy = (payment: PaymentPort) => findUnfinishedWork(shop.db, payment, shop.folder);

  for (const customer of [sound, unbooked]) {
    const { transId } = await authorizePayment(shop, customer, 'book');
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  }
  const { transId: abandoned } = await authorizePayment(shop, reserved, 'book');
  const payments = await shop.db.selectFrom('transactions').selectAll().where('user_id', '=', unbooked.id).execute();
  const cause = `payment ${payments[0]?.id}`;
  const booked = await shop.db.deleteFrom('ledger').where('cause', '=', cause).returningAll().execute();

  const keepsAll: PaymentPort = { ...port, cancel: (id) => port.read(id) as Promise<Intent> };
  expect(await leftBy(keepsAll)).toEqual([
    { userId: reserved.id, description: `the gateway still has the payment ${store}/${abandoned} as authorized` },
    { userId: reserved.id, description: `the transaction ${abandoned} is unfinished: cancelled` },
    { userId: unbooked.id, description: expect.stringContaining(`the ledger does not balance: ${store}: ${cause}`) as string },
  ]);
  await shop.db.insertInto('ledger').values(booked).execute();
  expect(await leftBy(port)).toEqual([]);
});
