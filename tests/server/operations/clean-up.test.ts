import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { issueToken } from '../../../server/accounts/tokens.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const aMinuteAgo = new Date(Date.now() - 60_000);

test('expired and revoked tokens are deleted, and a live one stays', async () => {
  const customer = await createCustomer(shop, store);
  const owner = { storeId: store, userId: customer.id, deviceId: null };
  await Promise.all([issueToken(shop.db, owner), issueToken(shop.db, owner)]);
  const issuedTokens = await shop.db
    .selectFrom('tokens')
    .select('hash')
    .where('user_id', '=', customer.id)
    .orderBy('created_at')
    .execute();
  const [, expiredHash, revokedHash] = issuedTokens.map(({ hash }) => hash);
  await shop.db
    .updateTable('tokens')
    .set({ expires_at: aMinuteAgo })
    .where('hash', '=', expiredHash ?? '')
    .execute();
  await shop.db
    .updateTable('tokens')
    .set({ revoked_at: aMinuteAgo })
    .where('hash', '=', revokedHash ?? '')
    .execute();
  await cleanUp(shop.db);
  const foundRows = await shop.db.selectFrom('tokens').select('hash').where('user_id', '=', customer.id).execute();
  expect(foundRows).toEqual([issuedTokens[0]]);
  expect((await shop.call('userPurchases', '/user/purchases', { query: customer.query })).status).toBe(200);
});

test('expired rate limit counters are deleted', async () => {
  const counter = { store_id: store, calls: 3 };
  await shop.db
    .insertInto('rate_limit_counters')
    .values([
      { ...counter, subject: `email:${randomUUID()}`, window_ends_at: aMinuteAgo },
      { ...counter, subject: 'email:still@counted.example', window_ends_at: new Date(Date.now() + 60_000) },
    ])
    .execute();
  await cleanUp(shop.db);
  const foundRows = await shop.db.selectFrom('rate_limit_counters').select('subject').where('store_id', '=', store).execute();
  expect(foundRows.map(({ subject }) => subject).filter((subject) => subject.startsWith('email:'))).toEqual([
    'email:still@counted.example',
  ]);
});

test('only the latest ten contexts of a title are kept for a customer who makes up more', async () => {
  const customer = await createCustomer(shop, store);
  const save = (contextkey: string) =>
    shop.call('saveViewerProgress', '/viewer/progress', {
      query: { ...customer.query, titleid: 'gratis', contextkey },
      body: { position: { totalProgression: 0.5, href: 'a.xhtml' } },
    });
  await shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'gratis' } });
  for (let index = 0; index < 15; index += 1) expect((await save(`made-up-${index}`)).status).toBe(200);
  await save('epub');
  const rows = await shop.db.selectFrom('progress').select('context_key').where('user_id', '=', customer.id).execute();
  expect(rows).toHaveLength(10);
  expect(rows.map(({ context_key }) => context_key)).toContain('epub');
});

test('counters locked by another call are left to the next clean-up', async () => {
  const counter = { store_id: store, calls: 3, window_ends_at: aMinuteAgo };
  const [lockedSubject, freeSubject] = [`held:${randomUUID()}`, `free:${randomUUID()}`];
  await shop.db
    .insertInto('rate_limit_counters')
    .values([lockedSubject, freeSubject].map((subject) => ({ ...counter, subject })))
    .execute();
  const selectRemaining = () =>
    shop.db.selectFrom('rate_limit_counters').select('subject').where('subject', 'in', [lockedSubject, freeSubject]).execute();
  // The embedded database has one connection, so that no other call can hold a lock.
  if (inject('databaseServer') === '') {
    await cleanUp(shop.db);
    expect(await selectRemaining()).toEqual([]);
    return;
  }
  await shop.db.transaction().execute(async (trx) => {
    await trx.selectFrom('rate_limit_counters').select('calls').where('subject', '=', lockedSubject).forUpdate().execute();
    await cleanUp(shop.db);
    expect(await selectRemaining()).toEqual([{ subject: lockedSubject }]);
  });
  await cleanUp(shop.db);
  expect(await selectRemaining()).toEqual([]);
});

test('a table that cannot be cleaned does not stop the clean-up of other tables', async () => {
  const subject = `free:${randomUUID()}`;
  await shop.db
    .insertInto('rate_limit_counters')
    .values({ store_id: store, calls: 3, window_ends_at: aMinuteAgo, subject })
    .execute();
  await shop.db.schema.alterTable('audit_log').renameTo('audit_log_away').execute();
  await expect(cleanUp(shop.db)).rejects.toThrow(
    'These tables could not be cleaned: audit_log (relation "audit_log" does not exist).',
  );
  await shop.db.schema.alterTable('audit_log_away').renameTo('audit_log').execute();
  const foundRows = await shop.db.selectFrom('rate_limit_counters').select('subject').where('subject', '=', subject).execute();
  expect(foundRows).toEqual([]);
});

test('devices removed more than a day ago are deleted', async () => {
  const customer = await createCustomer(shop, store);
  const device = { store_id: store, user_id: customer.id, name: 'Laptop', last_seen_at: aMinuteAgo };
  await shop.db
    .insertInto('devices')
    .values([
      { ...device, id: 'old', removed_at: new Date(Date.now() - 25 * 3_600_000) },
      { ...device, id: 'removed now', removed_at: aMinuteAgo },
      { ...device, id: 'in use', removed_at: null },
    ])
    .execute();
  await cleanUp(shop.db);
  const foundRows = await shop.db.selectFrom('devices').select('id').where('user_id', '=', customer.id).orderBy('id').execute();
  expect(foundRows.map(({ id }) => id)).toEqual(['in use', 'removed now']);
});

test('more rows than one statement deletes are deleted in one clean-up, which returns the number', async () => {
  const counters = Array.from({ length: 2500 }, (_, index) => ({
    store_id: store,
    subject: `many:${index}`,
    calls: 1,
    window_ends_at: aMinuteAgo,
  }));
  await shop.db.insertInto('rate_limit_counters').values(counters).execute();
  expect((await cleanUp(shop.db))['rate_limit_counters']).toBe(2500);
});

test('a clean-up deletes no further batch once the shop stops', async () => {
  await shop.db
    .insertInto('rate_limit_counters')
    .values({ store_id: store, subject: 'stopped', calls: 1, window_ends_at: aMinuteAgo })
    .execute();
  expect((await cleanUp(shop.db, AbortSignal.abort()))['rate_limit_counters']).toBe(0);
  expect((await cleanUp(shop.db))['rate_limit_counters']).toBe(1);
});
