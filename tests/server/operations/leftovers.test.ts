import { expect, onTestFinished, test } from 'vitest';
import type { Intent, PaymentPort } from '../../../server/payment/port.ts';
import { findUnfinishedWork } from '../../faults/leftovers.ts';
import { createCustomer } from '../support/customers.ts';
import { authorizePayment, confirmPayment } from '../support/paying.ts';
import { openShop } from '../support/shop.ts';

test('money that the gateway does not release and a payment missing in the ledger are reported', async () => {
  const shop = await openShop();
  onTestFinished(() => shop.close());
  const store = await shop.store();
  const [settledCustomer, reservedCustomer, unbookedCustomer] = [
    await createCustomer(shop, store),
    await createCustomer(shop, store),
    await createCustomer(shop, store),
  ];
  const { port } = shop.gateway;
  const findLeftovers = (payment: PaymentPort) => findUnfinishedWork(shop.db, payment, shop.folder);

  for (const customer of [settledCustomer, unbookedCustomer]) {
    const { transId } = await authorizePayment(shop, customer, 'book');
    expect((await confirmPayment(shop, customer, transId)).status).toBe(200);
  }
  const { transId: abandonedId } = await authorizePayment(shop, reservedCustomer, 'book');
  const payments = await shop.db.selectFrom('transactions').selectAll().where('user_id', '=', unbookedCustomer.id).execute();
  const cause = `payment ${payments[0]?.id}`;
  const ledgerRows = await shop.db.deleteFrom('ledger').where('cause', '=', cause).returningAll().execute();

  const portWithoutCancel: PaymentPort = { ...port, cancel: (id) => port.read(id) as Promise<Intent> };
  expect(await findLeftovers(portWithoutCancel)).toEqual([
    { userId: reservedCustomer.id, description: `the gateway still has the payment ${store}/${abandonedId} as authorized` },
    { userId: reservedCustomer.id, description: `the transaction ${abandonedId} is unfinished: cancelled` },
    {
      userId: unbookedCustomer.id,
      description: expect.stringContaining(`the ledger does not balance: ${store}: ${cause}`) as string,
    },
  ]);
  await shop.db.insertInto('ledger').values(ledgerRows).execute();
  expect(await findLeftovers(port)).toEqual([]);
});
