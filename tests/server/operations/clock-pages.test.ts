import { type Kysely, sql } from 'kysely';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { readClock } from '../../../server/kernel/clock-row.ts';
import { setClockAhead } from '../../../server/base/clock/time.ts';
import { openDatabase } from '../../../server/database/open.ts';
import { up as addClock } from '../../../server/database/migrations/64-shop-clock.ts';
import { openPages } from '../support/pages.ts';
import { newTestDatabase } from '../support/test-database.ts';

const DAY_MS = 24 * 60 * 60_000;
// Other test files share this process's clock.
afterEach(() => setClockAhead(0));

test('a page cached before the clock was moved is not sent with the earlier time', async () => {
  const { shop, fetchHead, close } = await openPages();
  onTestFinished(close);
  await shop.store({ host: 'books.example', isDefault: true });
  expect((await fetchHead('books.example', '/')).html).not.toContain('clockAhead');
  // Simulates a process that read the store before the clock: the store's version is the same.
  setClockAhead(2 * DAY_MS);
  expect((await fetchHead('books.example', '/')).html).toContain(`"clockAhead":${2 * DAY_MS}`);
});

test.each(['stripe', 'razorpay', 'test'])('payments by %s fix the clock, except those of the test gateway', async (provider) => {
  const { db, close } = await openDatabase(await newTestDatabase());
  onTestFinished(close);
  await db.insertInto('stores').values({ id: 's', host: null, currency: 'EUR' }).execute();
  await sql`insert into users (store_id, id, email, email_key, name) values ('s', 'u', 'u@example.com', 'u@example.com', 'U')`.execute(
    db,
  );
  await sql`insert into transactions (store_id, id, user_id, kind, amount_minor, currency, status, provider)
    values ('s', 't', 'u', 'title', 100, 'EUR', 'paid', ${provider})`.execute(db);
  // Restores the tables from before the migration.
  await sql`drop table shop_clock`.execute(db);
  await sql`drop function shop_now() cascade`.execute(db);
  await addClock(db as unknown as Kysely<unknown>);
  expect((await readClock(db)).isMovable).toBe(provider === 'test');
});
