import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { incrementCounter } from '../../../server/accounts/call-counters.ts';
import { openDatabase, type OpenDatabase } from '../../../server/database/open.ts';
import { newTestDatabase } from '../support/test-database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase(await newTestDatabase());
  await database.db.insertInto('stores').values({ id: 's', host: null, currency: 'EUR' }).execute();
});
afterAll(() => database.close());

const limit = { subject: 'sms:192.0.2.1', maxCalls: 5, minutes: 60 };
const incrementedFailures = sql`case when sign_in_attempts.window_ends_at < clock_timestamp() then 1 else sign_in_attempts.failures + 1 end`;

/** Statements of the previous version, with the old names of the table and its column. */
const oldCounter = {
  increment: () =>
    sql<{ failures: number }>`insert into sign_in_attempts (store_id, subject, failures, window_ends_at)
      values ('s', ${limit.subject}, 1, clock_timestamp() + interval '1 hour')
      on conflict (store_id, subject) do update set failures = least(${incrementedFailures}, 7)
      returning failures`.execute(database.db),
  incrementWithDelay: () =>
    sql<{ failures: number }>`insert into sign_in_attempts (store_id, subject, failures, retry_at, window_ends_at)
      values ('s', ${limit.subject}, 1, clock_timestamp(), clock_timestamp() + interval '1 hour')
      on conflict (store_id, subject) do update set failures = ${incrementedFailures}, retry_at = clock_timestamp()
      where sign_in_attempts.retry_at <= clock_timestamp()
      returning failures`.execute(database.db),
  decrement: () =>
    sql`update sign_in_attempts set failures = failures - 1, retry_at = now()
      where store_id = 's' and subject = ${limit.subject} and failures > 0`.execute(database.db),
  cleanUp: () =>
    sql`delete from sign_in_attempts where (store_id, subject) in (
      select store_id, subject from sign_in_attempts where window_ends_at < now() for update skip locked)`.execute(database.db),
};

test('processes of the previous version and of this version share the rate limit counters', async () => {
  const incrementAndRead = async () => (await incrementCounter(database.db, 's', limit)).calls;
  expect((await oldCounter.increment()).rows).toEqual([{ failures: 1 }]);
  expect(await incrementAndRead()).toBe(2);
  expect((await oldCounter.increment()).rows).toEqual([{ failures: 3 }]);
  expect((await oldCounter.incrementWithDelay()).rows).toEqual([{ failures: 4 }]);
  await oldCounter.decrement();
  expect(await incrementAndRead()).toBe(4);
  await database.db
    .updateTable('rate_limit_counters')
    .set({ window_ends_at: new Date(0) })
    .execute();
  expect((await oldCounter.increment()).rows).toEqual([{ failures: 1 }]);
  await database.db
    .updateTable('rate_limit_counters')
    .set({ window_ends_at: new Date(0) })
    .execute();
  await oldCounter.cleanUp();
  expect(await database.db.selectFrom('rate_limit_counters').select('subject').execute()).toEqual([]);
});
