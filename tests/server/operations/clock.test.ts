import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OperationInput, OperationResult } from '../../../server/admin/operation-input.ts';
import { runOperation } from '../../../server/admin/operations.ts';
import { findResetLink, issueResetToken } from '../../../server/accounts/tokens.ts';
import { isTrusted } from '../../../server/accounts/trusted-customer.ts';
import { requestTime, fixClock } from '../../../server/kernel/clock-row.ts';
import { createClockFollower } from '../../../server/jobs/clock-follower.ts';
import { clockAhead, setClockAhead, shopNow } from '../../../server/base/clock/time.ts';
import { cleanUp } from '../../../server/jobs/clean-up.ts';
import { sendQueuedEmails } from '../../../server/jobs/send-queued-emails.ts';
import { basicAuth, type Customer, createCustomer, PASSWORD } from '../support/customers.ts';
import { readSubscription } from '../support/gateway-journal.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { CARD_NUMBERS } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { insertPlan, selectSubscription, subscribe } from '../support/subscriptions.ts';

const DAY_MS = 24 * 60 * 60_000;

const isLeap = (year: number): boolean => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
/** The next year before a leap year whose 31 January is in the future. */
const yearBeforeLeap = (() => {
  let year = new Date().getUTCFullYear();
  while (!isLeap(year + 1) || Date.UTC(year, 0, 31, 9) < Date.now()) year += 1;
  return year;
})();
const leapYear = yearBeforeLeap + 1;

let shop: Shop;
let store: string;
let customer: Customer;
const runClockCommand = (input: OperationInput = {}): Promise<OperationResult> =>
  runOperation(shop.services, `clock ${Object.keys(input).length === 0 ? 'show' : 'move'}`, input);
const moveClockTo = (moment: string): Promise<OperationResult> => runClockCommand({ to: moment });
const readFailureMessage = (input: OperationInput): Promise<string> =>
  runClockCommand(input).then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );
const toIsoDays = (moments: readonly (Date | string | undefined)[]): string[] =>
  moments.map((moment) => new Date(moment ?? Number.NaN).toISOString().slice(0, 10));

async function openClockShop(): Promise<void> {
  shop = await openShop();
  store = await shop.store();
  await insertPlan(shop, store, { credits: 2 });
  await runClockCommand();
}
async function closeClockShop(): Promise<void> {
  // Other test files share this process's clock.
  setClockAhead(0);
  // Throws unless the ledger balances.
  await shop.close();
}

/** Subscribes to the monthly plan on 31 January at ten. @returns the subscription's id */
async function subscribeOnJanuary31(card = CARD_NUMBERS.good): Promise<string> {
  await moveClockTo(`${yearBeforeLeap}-01-31T10:00Z`);
  customer = await createCustomer(shop, store);
  return subscribe(shop, customer, 'monthly', card);
}

/** @returns day and subject of each e-mail to the customer, the latest last */
async function readSubscriptionEmails(): Promise<string[][]> {
  const emails = await readEmailsTo(shop, customer.email);
  const subjects = emails.map(({ subject = '' }) => subject.replace(/ at .*| has been.*/, ''));
  const days = toIsoDays(emails.map(({ date }) => date));
  return subjects.map((subject, index) => [days[index] ?? '', subject]);
}

async function isSubscribed(): Promise<boolean> {
  const session = await shop.call('signIn', '/user/signin', {
    query: { shelfid: store, appid: 'web' },
    headers: basicAuth(customer.email, PASSWORD),
  });
  const { IdToken: accesstoken } = session.value as { IdToken: string };
  const status = await shop.call('subscriptionStatus', '/subscription/status', { query: { shelfid: store, accesstoken } });
  return (status.value as { subscribed: boolean }).subscribed;
}

describe('a monthly plan from 31 January', () => {
  beforeAll(openClockShop);
  afterAll(closeClockShop);

  test('a monthly plan from 31 January is renewed on the last day of shorter months, through a leap year', async () => {
    const id = await subscribeOnJanuary31();
    await moveClockTo(`${leapYear}-03-31T12:00Z`);
    const daysOfFirstYear = ['02-28', '03-31', '04-30', '05-31', '06-30', '07-31', '08-31', '09-30', '10-31', '11-30', '12-31'];
    const days = [
      ...daysOfFirstYear.map((day) => `${yearBeforeLeap}-${day}`),
      ...['01-31', '02-29', '03-31'].map((day) => `${leapYear}-${day}`),
    ];
    const ledgerRows = await shop.db
      .selectFrom('ledger')
      .select('booked_at')
      .where('cause', 'like', `renewal % of ${id}`)
      .where('account', '=', 'gateway')
      .orderBy('booked_at')
      .execute();
    expect(toIsoDays(ledgerRows.map((row) => row.booked_at))).toEqual(days);
    const renewalEmails = (await readSubscriptionEmails()).filter(([, subject]) => subject === 'Your subscription');
    expect(renewalEmails.map(([day]) => day)).toEqual(days);
    const row = await selectSubscription(shop, id);
    expect([row.status, row.renewals, ...toIsoDays([row.renews_at ?? undefined])]).toEqual(['active', 14, `${leapYear}-04-30`]);
  });
});

describe('a renewal that fails', () => {
  beforeEach(openClockShop);
  afterEach(closeClockShop);

  const failureEmail = [`${yearBeforeLeap}-02-28`, 'We couldn’t renew your subscription'];
  const countRefusals = async (id: string) => (await readSubscription(shop.gateway.folder, `${store}/${id}`))?.refusals;

  test('a failed renewal is retried after one, three and five days, and the subscription ends after seven, with access until then', async () => {
    const id = await subscribeOnJanuary31(CARD_NUMBERS.once);
    const observations: unknown[] = [];
    for (const day of ['02-28', '03-01', '03-03', '03-05', '03-07'])
      for (const time of ['09:00', '12:00']) {
        await moveClockTo(`${yearBeforeLeap}-${day}T${time}Z`);
        observations.push([
          day,
          time,
          (await selectSubscription(shop, id)).status,
          (await countRefusals(id)) ?? 0,
          await isSubscribed(),
        ]);
      }
    expect(observations).toEqual([
      ['02-28', '09:00', 'active', 0, true],
      ['02-28', '12:00', 'past_due', 1, true],
      ['03-01', '09:00', 'past_due', 1, true],
      ['03-01', '12:00', 'past_due', 2, true],
      ['03-03', '09:00', 'past_due', 2, true],
      ['03-03', '12:00', 'past_due', 3, true],
      ['03-05', '09:00', 'past_due', 3, true],
      ['03-05', '12:00', 'past_due', 4, true],
      ['03-07', '09:00', 'past_due', 4, true],
      ['03-07', '12:00', 'ended', 4, false],
    ]);
    expect((await readSubscriptionEmails()).slice(1)).toEqual([failureEmail]);
  });

  test('a failed renewal has the same result in one move of the clock as day by day', async () => {
    const id = await subscribeOnJanuary31(CARD_NUMBERS.once);
    await moveClockTo(`${yearBeforeLeap}-04-15`);
    expect((await readSubscriptionEmails()).slice(1)).toEqual([failureEmail]);
    expect([(await selectSubscription(shop, id)).status, await countRefusals(id), await isSubscribed()]).toEqual([
      'ended',
      4,
      false,
    ]);
  });

  test('a failed renewal that is paid a day later keeps its due dates', async () => {
    const id = await subscribeOnJanuary31(CARD_NUMBERS.retried);
    await moveClockTo(`${yearBeforeLeap}-03-02`);
    expect((await readSubscriptionEmails()).slice(1)).toEqual([failureEmail, [`${yearBeforeLeap}-03-01`, 'Your subscription']]);
    const row = await selectSubscription(shop, id);
    expect([row.status, row.renewals, ...toIsoDays([row.renews_at ?? undefined])]).toEqual([
      'active',
      1,
      `${yearBeforeLeap}-03-31`,
    ]);
  });
});

describe('a move of the clock', () => {
  beforeAll(openClockShop);
  afterAll(closeClockShop);

  test.each([
    [{ to: '2020-01-31' }, /^The clock is at \S+Z and moves forward only/],
    [{ forward: '11y' }, /^The clock can be at most 10 years ahead of the machine's, not at 20/],
    [{ to: '9999-12-31T12:00Z' }, /at most 10 years/],
    [{ forward: '0d' }, /^forward must be like 90min, 2h, 31d, 1mo or 1y, not "0d"\.$/],
    [{ forward: '-1d' }, /not "-1d"/],
    [{ forward: '3 weeks' }, /not "3 weeks"/],
    [{ to: '2028-02-30' }, /^to must be a moment in UTC like .*, not "2028-02-30"\.$/],
    [{ to: '2028-02-28T12:00' }, /not "2028-02-28T12:00"/],
    [{ to: '2028-02-28T25:00Z' }, /not "2028-02-28T25:00Z"/],
    [{ to: '2030-01-31', forward: '1d' }, /^Give either forward or to/],
  ])('a move of the clock by %j is refused, and the clock stays', async (input, message) => {
    expect(await readFailureMessage(input)).toMatch(message);
    expect(clockAhead()).toBe(0);
  });

  test('a dry run does not move the clock', async () => {
    const { message, rows } = await runClockCommand({ forward: '1mo', dryRun: true });
    expect(message).toMatch(/^The clock could be moved to 20/);
    expect(rows[0]?.['goesTo']).not.toBe('');
    expect((await runClockCommand()).message).toBe('The clock of this shop has not been moved.');
  });

  test('default timestamps use the shop’s clock, except in accounts, sessions, idempotency keys and rate limits', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_default in ('now()', 'CURRENT_TIMESTAMP', 'clock_timestamp()')
      order by 1`.execute(shop.db);
    expect(rows.map(({ name }) => name)).toEqual([
      'idempotency_keys.created_at',
      'rate_limit_counters.retry_at',
      'tokens.created_at',
      'users.created_at',
    ]);
  });
});

describe('the clock', () => {
  beforeEach(openClockShop);
  afterEach(closeClockShop);

  test('the clock is the computer’s until it is moved, and then applies to calls, statements and pages', async () => {
    const result = await runClockCommand();
    expect(result.message).toBe('The clock of this shop has not been moved.');
    expect((await shop.app.inject('/config.json')).json()).not.toHaveProperty('clockAhead');
    expect((await runClockCommand({ forward: '40d' })).message).toMatch(/^The clock of this shop is at 20\d\d-/);
    expect(clockAhead()).toBe(40 * DAY_MS);
    expect((await shop.app.inject('/config.json')).json()).toMatchObject({ clockAhead: 40 * DAY_MS });
    const { id } = await createCustomer(shop, store);
    const { at } = await shop.db.selectFrom('audit_log').select('at').where('user_id', '=', id).executeTakeFirstOrThrow();
    expect(Math.abs(at.getTime() - shopNow().getTime())).toBeLessThan(DAY_MS);
  });

  test('the clock cannot be moved on a database that was used with a payment provider', async () => {
    expect(await fixClock(shop.db)).toBe(true);
    expect(await readFailureMessage({ forward: '1d' })).toMatch(
      /^The clock of this shop cannot be moved: its database has been used with a payment provider, whose clock/,
    );
    expect(clockAhead()).toBe(0);
  });

  test('a clock that was moved cannot be fixed, so that no shop with a live provider gets it', async () => {
    await runClockCommand({ forward: '1d' });
    expect(await fixClock(shop.db)).toBe(false);
  });

  test('a move of the clock stops at the next step when the shop stops, also when a command has started the move', async () => {
    await subscribeOnJanuary31();
    const aheadAtStart = clockAhead();
    const stopController = new AbortController();
    let steps = 0;
    const follow = createClockFollower({
      ...shop.services,
      oneAtATime: async (_, run) => {
        steps += 1;
        void follow(stopController.signal);
        stopController.abort();
        return run();
      },
    });
    expect(await requestTime(shop.db, aheadAtStart + 200 * DAY_MS)).toBe(true);
    await follow();
    expect(steps).toBe(1);
    expect(clockAhead()).toBeGreaterThan(aheadAtStart);
    expect(clockAhead()).toBeLessThan(aheadAtStart + 200 * DAY_MS);
  });

  test('the clock waits while the gateway does not respond', async () => {
    await shop.stopGateway();
    expect(await readFailureMessage({ forward: '1d' })).toMatch(
      /^The clock waits at \S+Z, and the shop tries again every second\. The payment gateway does not respond/,
    );
    expect(clockAhead()).toBe(0);
    expect((await runClockCommand()).rows[0]?.['goesTo']).not.toBe('');
  });
});

describe('a move of the clock and the computer’s time', () => {
  beforeAll(async () => {
    await openClockShop();
    customer = await createCustomer(shop, store);
  });
  afterAll(closeClockShop);

  const moveClockAhead = async (): Promise<void> => {
    await runClockCommand({ forward: '40d' });
    await cleanUp(shop.db);
  };

  test('a move of the clock ends neither sessions nor media URLs of open titles', async () => {
    await shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'gratis' } });
    const components = await shop.call('viewerComponents', '/viewer/components', {
      query: { ...customer.query, titleid: 'gratis' },
    });
    const { instanceId: instanceid } = components.value as { instanceId: string };
    const parameters = { query: { ...customer.query, instanceid, content: '1' } };
    const { url } = (await shop.call('viewerUrl', '/viewer/url', parameters)).value as { url: string };
    await moveClockAhead();
    // The shop of this test has no files; a customer without access would get another status.
    expect((await shop.app.inject(url)).statusCode).toBe(404);
    const secondResponse = (await shop.call('viewerUrl', '/viewer/url', parameters)).value as { url: string; expiresAt: string };
    expect(Math.abs(Date.parse(secondResponse.expiresAt) - Date.now())).toBeLessThan(DAY_MS);
    expect((await shop.app.inject(secondResponse.url)).statusCode).toBe(404);
  });

  test('a move of the clock does not expire links to reset the password', async () => {
    const link = await issueResetToken(shop.db, { storeId: store, userId: customer.id, email: customer.email });
    await moveClockAhead();
    expect(await findResetLink(shop.db, store, link)).toMatchObject({ userId: customer.id });
  });

  test('a move of the clock does not delete responses stored for repeated calls', async () => {
    const redeem = () =>
      shop.call('redeemFreeTitle', '/redeem/title', {
        query: { ...customer.query, code: 'WRONG' },
        headers: { 'idempotency-key': 'one-press-of-a-button' },
      });
    const firstResponse = await redeem();
    expect(firstResponse.status).toBe(404);
    await shop.db.deleteFrom('rate_limit_counters').execute();
    await moveClockAhead();
    expect((await redeem()).text).toBe(firstResponse.text);
    expect(await shop.db.selectFrom('rate_limit_counters').selectAll().execute()).toEqual([]);
  });

  test('a move of the clock ends rate limits neither sooner nor later', async () => {
    const guessCode = (code: string) => shop.call('redeemFreeTitle', '/redeem/title', { query: { ...customer.query, code } });
    for (let attempt = 0; attempt < 6; attempt += 1) expect((await guessCode(`WRONG${attempt}`)).status).toBe(404);
    await moveClockAhead();
    const refusal = await guessCode('WRONG');
    expect(refusal.status).toBe(429);
    expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  test('a move of the clock does not age an account, which would make it trusted', async () => {
    const verifyEmail = async ({ id }: Customer): Promise<void> => {
      await shop.db.updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', id).execute();
    };
    await verifyEmail(customer);
    await moveClockAhead();
    expect(await isTrusted(shop.db, store, customer.id)).toBe(false);
    // This account is created after the move, and then dated two days earlier.
    const newCustomer = await createCustomer(shop, store);
    await verifyEmail(newCustomer);
    await shop.db
      .updateTable('users')
      .set({ created_at: sql`created_at - interval '2 days'` })
      .where('id', '=', newCustomer.id)
      .execute();
    expect(await isTrusted(shop.db, store, newCustomer.id)).toBe(true);
  });

  test('an e-mail that is being sent during a move of the clock is sent once', async () => {
    await shop.call('forgotPassword', '/user/forgotpassword', { query: { shelfid: store, appid: 'web', email: customer.email } });
    const sendEmail = vi.spyOn(shop.services.mail, 'send').mockResolvedValue().mockImplementationOnce(moveClockAhead);
    await sendQueuedEmails(shop.services);
    expect(sendEmail.mock.calls.map(([{ to }]) => to)).toEqual([customer.email]);
  });
});
