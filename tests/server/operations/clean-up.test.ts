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

test('expired tokens are deleted, and a live one stays', async () => {
  const customer = await createCustomer(shop, store);
  const owner = { storeId: store, userId: customer.id, deviceId: null };
  await Promise.all([issueToken(shop.db, owner), issueToken(shop.db, owner)]);
  const issued = await shop.db
    .selectFrom('tokens')
    .select('hash')
    .where('user_id', '=', customer.id)
    .orderBy('created_at')
    .execute();
  const [, expired, revoked] = issued.map(({ hash }) => hash);
  await shop.db
    .updateTable('tokens')
    .set({ expires_at: aMinuteAgo })
    .where('hash', '=', expired ?? '')
    .execute();
  await shop.db
    .updateTable('tokens')
    .set({ revoked_at: aMinuteAgo })
    .where('hash', '=', revoked ?? '')
    .execute();
  await cleanUp(shop.db);
  const left = await shop.db.selectFrom('tokens').select('hash').where('user_id', '=', customer.id).execute();
  expect(left).toEqual([issued[0]]);
  expect((await shop.ask('userPurchases', '/user/purchases', { query: customer.query })).status).toBe(200);
});

test('expired rate limit counters are deleted', async () => {
  const attempt = { store_id: store, calls: 3 };
  await shop.db
    .insertInto('rate_limit_counters')
    .values([
      { ...attempt, subject: `email:${randomUUID()}`, window_ends_at: aMinuteAgo },
      { ...attempt, subject: 'email:still@counted.example', window_ends_at: new Date(Date.now() + 60_000) },
    ])
    .execute();
  await cleanUp(shop.db);
  const left = await shop.db.selectFrom('rate_limit_counters').select('subject').where('store_id', '=', store).execute();
  expect(left.map(({ subject }) => subject).filter((subject) => subject.startsWith('email:'))).toEqual([
    'email:still@counted.example',
  ]);
});

test('a customer who makes up contexts of a title keeps only the latest ten', async () => {
  const customer = await createCustomer(shop, store);
  const save = (contextkey: string) =>
    shop.ask('saveViewerProgress', '/viewer/progress', {
      query: { ...customer.query, titleid: 'gratis', contextkey },
      body: { position: { totalProgression: 0.5, href: 'a.xhtml' } },
    });
  await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'gratis' } });
  for (let at = 0; at < 15; at += 1) expect((await save(`made-up-${at}`)).status).toBe(200);
  await save('epub');
  const rows = await shop.db.selectFrom('progress').select('context_key').where('user_id', '=', customer.id).execute();
  expect(rows).toHaveLength(10);
  expect(rows.map(({ context_key }) => context_key)).toContain('epub');
});

test('counters locked by another call are left to the next clean-up, without waiting', async () => {
  const attempt = { store_id: store, calls: 3, window_ends_at: aMinuteAgo };
  const [held, free] = [`held:${randomUUID()}`, `free:${randomUUID()}`];
  await shop.db
    .insertInto('rate_limit_counters')
    .values([held, free].map((subject) => ({ ...attempt, subject })))
    .execute();
  const left = () => shop.db.selectFrom('rate_limit_counters').select('subject').where('subject', 'in', [held, free]).execute();
  // The embedded database has one connection.
  if (inject('databaseServer') === '') {
    await cleanUp(shop.db);
    expect(await left()).toEqual([]);
    return;
  }
  await shop.db.transaction().execute(async (trx) => {
    await trx.selectFrom('rate_limit_counters').select('calls').where('subject', '=', held).forUpdate().execute();
    await cleanUp(shop.db);
    expect(await left()).toEqual([{ subject: held }]);
  });
  await cleanUp(shop.db);
  expect(await left()).toEqual([]);
});

test('a table that fails does not stop the clean-up of the others', async () => {
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
  const left = await shop.db.selectFrom('rate_limit_counters').select('subject').where('subject', '=', subject).execute();
  expect(left).toEqual([]);
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
  const left = await shop.db.selectFrom('devices').select('id').where('user_id', '=', customer.id).orderBy('id').execute();
  expect(left.map(({ id }) => id)).toEqual(['in use', 'removed now']);
});

test('more rows than one statement deletes are deleted in one clean-up, which returns the number', async () => {
  const attempts = Array.from({ length: 2500 }, (_, at) => ({
    store_id: store,
    subject: `many:${at}`,
    calls: 1,
    window_ends_at: aMinuteAgo,
  }));
  await shop.db.insertInto('rate_limit_counters').values(attempts).execute();
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
