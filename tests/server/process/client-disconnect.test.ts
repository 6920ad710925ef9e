import { Agent, type ClientRequest, request } from 'node:http';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { cancelReads } from '../../../server/database/cancel-reads.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

const testOnServer = test.skipIf(inject('databaseServer') === '');
if (inject('databaseServer') === '') console.info('skipped: the embedded database cannot cancel queries');

let shop: Shop;
let address: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  address = await shop.app.listen({ port: 0, host: '127.0.0.1' });
  customer = await createCustomer(shop, await shop.store());
});
afterAll(() => shop.close());

const makeUrl = (path: string) => `${address}/api${path}?${new URLSearchParams(customer.query).toString()}`;

/** @returns the statements that wait for a lock in this test's database */
async function findBlockedQueries(): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`select query from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(shop.db);
  return rows.map(({ query }) => query);
}

/** Locks the wish lists for other callers. @returns a function that unlocks them */
async function lockWishList(): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(shop.db);
  const url = new URL(inject('databaseServer'));
  url.pathname = `/${rows[0]?.name}`;
  const lockClient = new pg.Client({ connectionString: url.href });
  await lockClient.connect();
  onTestFinished(() => lockClient.end().catch(() => {}));
  await lockClient.query('begin');
  await lockClient.query('lock table wishes in access exclusive mode');
  return async () => void (await lockClient.query('commit'));
}

/** Starts a call. @returns the request, which the test destroys before the response */
function startCall(path: string, body?: string): ClientRequest {
  const clientRequest = request(makeUrl(path), {
    agent: new Agent(),
    method: body === undefined ? 'GET' : 'POST',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
  });
  clientRequest.on('error', () => {});
  clientRequest.end(body);
  return clientRequest;
}

testOnServer('a read is cancelled when its caller disconnects', async () => {
  const unlock = await lockWishList();
  const call = startCall('/user/wishlist');
  await expect.poll(findBlockedQueries).toHaveLength(1);
  call.destroy();
  await expect.poll(findBlockedQueries).toEqual([]);
  await unlock();
  expect((await fetch(makeUrl('/user/wishlist'))).status).toBe(200);
});

testOnServer('a write completes when its caller disconnects', async () => {
  const { id: titleId } = await shop.db
    .selectFrom('titles')
    .select('id')
    .where('store_id', '=', customer.store)
    .limit(1)
    .executeTakeFirstOrThrow();
  const unlock = await lockWishList();
  const call = startCall('/user/wishlist', JSON.stringify({ changes: [{ titleId, isSaved: true }] }));
  await expect.poll(findBlockedQueries).toHaveLength(1);
  call.destroy();
  await unlock();
  const selectWishes = () => shop.db.selectFrom('wishes').select('title_id').where('user_id', '=', customer.id).execute();
  await expect.poll(selectWishes).toEqual([{ title_id: titleId }]);
});

testOnServer('a call declared as read-only cannot write', async () => {
  const write = () => shop.db.deleteFrom('wishes').execute();
  await expect(cancelReads(new AbortController().signal, write)).rejects.toThrow(/lacks x-changes or x-records/);
  const openTransaction = () => shop.db.transaction().execute(async () => {});
  await expect(cancelReads(new AbortController().signal, openTransaction)).rejects.toThrow(/lacks x-changes or x-records/);
});
