import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationInput, OperationResult } from '../../../server/admin/operation-input.ts';
import { runOperation } from '../../../server/admin/operations.ts';
import { normalizeCode } from '../../../server/base/code-text.ts';
import { lookUpCode, redeemTitle, readUsesLeft } from '../support/codes.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { dateInDays, insertPlan } from '../support/subscriptions.ts';

const TOKEN = 'a token of the tests, long enough';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: TOKEN } });
  store = await shop.store();
  await insertPlan(shop, store);
});
afterAll(() => shop.close());

const runInStore = (name: string, input: OperationInput = {}): Promise<OperationResult> =>
  runOperation(shop.services, name, { store, ...input });
const readFailureMessage = (name: string, input: OperationInput = {}): Promise<string> =>
  runInStore(name, input).then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );
const getCodes = ({ rows }: OperationResult): string[] => rows.map(({ code }) => String(code));

describe('codes', () => {
  test('codes are created in the requested number, each different and valid', async () => {
    const result = await runInStore('codes make', { grants: 'title:book', count: 1100 });
    const codes = getCodes(result);
    expect(new Set(codes).size).toBe(1100);
    expect(codes.every((code) => /^[2-9A-HJKMNP-TV-Z]{5}(-[2-9A-HJKMNP-TV-Z]{5}){2}$/.test(code))).toBe(true);
    expect(result.message).toBe(`Made 1100 codes for title:book in the store ${store}.`);
    for (const code of [codes[0], codes[1099]])
      expect((await lookUpCode(shop, { query: { shelfid: store } }, code ?? '')).value).toMatchObject({ Kind: 'title' });
  });

  test('codes are listed with their benefit and remaining uses', async () => {
    const newStore = await shop.store();
    await insertPlan(shop, newStore);
    const createCode = async (grants: string, options: OperationInput = {}) =>
      getCodes(await runOperation(shop.services, 'codes make', { store: newStore, grants, ...options }))[0] ?? '';
    const expectedRows = new Map([
      [await createCode('title:book'), { grants: 'title:book', uses: 1, left: 1, expires: '' }],
      [await createCode('titles:film,book', { uses: 3 }), { grants: 'titles:film,book', uses: 3, left: 3, expires: '' }],
      [await createCode('plan:monthly', { uses: 'unlimited' }), { grants: 'plan:monthly', uses: null, left: null, expires: '' }],
      [await createCode('trial:monthly:30'), { grants: 'trial:monthly:30', uses: 1, left: 1, expires: '' }],
      [await createCode('credits:5'), { grants: 'credits:5', uses: 1, left: 1, expires: '' }],
      [
        await createCode('discount:20%', { expires: '2099-01-31' }),
        { grants: 'discount:20%', uses: 1, left: 1, expires: '2099-01-31' },
      ],
      [await createCode('discount:5:book', { code: 'Spring-99' }), { grants: 'discount:5%:book', uses: 1, left: 1, expires: '' }],
    ]);
    const { rows, next } = await runOperation(shop.services, 'codes list', { store: newStore });
    expect(next).toBeUndefined();
    expect(new Map(rows.map(({ code, grants, uses, left, expires }) => [code, { grants, uses, left, expires }]))).toEqual(
      expectedRows,
    );
    expect(expectedRows.has('SPRING99')).toBe(true);
  });

  test('a long list of codes is paged, with each code once', async () => {
    const newStore = await shop.store();
    const codes = getCodes(
      await runOperation(shop.services, 'codes make', { store: newStore, grants: 'credits:1', count: 1500 }),
    );
    const firstPage = await runOperation(shop.services, 'codes list', { store: newStore });
    const secondPage = await runOperation(shop.services, 'codes list', { store: newStore, after: firstPage.next });
    expect(secondPage.next).toBeUndefined();
    expect([...getCodes(firstPage), ...getCodes(secondPage)].toSorted()).toEqual(codes.toSorted());
  });

  test('a code is valid to the end of the day on which it expires', async () => {
    const day = dateInDays(3).toISOString().slice(0, 10);
    const [code = ''] = getCodes(await runInStore('codes make', { grants: 'title:book', expires: day }));
    const row = await shop.db.selectFrom('codes').select('expires_at').where('code', '=', normalizeCode(code)).executeTakeFirst();
    expect(row?.expires_at?.getTime()).toBe(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
  });

  test('a dry run creates no codes', async () => {
    const newStore = await shop.store();
    const result = await runOperation(shop.services, 'codes make', {
      store: newStore,
      grants: 'title:book',
      count: 10,
      dryRun: true,
    });
    expect(result).toEqual({ rows: [], message: `10 codes for title:book could be made in the store ${newStore}.` });
    expect((await runOperation(shop.services, 'codes list', { store: newStore })).rows).toEqual([]);
  });

  test.each([
    [{ grants: 'title:none' }, /has no title none/],
    [{ grants: 'titles:book' }, /titles needs at least two ids/],
    [{ grants: 'titles:book,none' }, /has no title none/],
    [{ grants: 'plan:none' }, /has no plan none/],
    [{ grants: 'trial:monthly' }, /days of a trial must be a whole number from 1 to 366/],
    [{ grants: 'credits:0' }, /number of credits must be/],
    [{ grants: 'discount:120%' }, /percentage must be a whole number from 1 to 99/],
    [{ grants: 'gold:1' }, /A code gives title:ID/],
    [{ grants: '' }, /grants must be a text/],
    [{ grants: 'title:book', count: 0 }, /count must be a whole number/],
    [{ grants: 'title:book', count: 200_000 }, /count must be a whole number/],
    [{ grants: 'title:book', uses: 0 }, /uses must be a whole number/],
    [{ grants: 'title:book', expires: '2020-01-01' }, /expires must be a day that is not over/],
    [{ grants: 'title:book', expires: '2027-02-30' }, /must be a day like 2027-01-31/],
    [{ grants: 'title:book', code: 'x' }, /4 to 64 letters and digits/],
    [{ grants: 'title:book', code: 'SPRING', count: 2 }, /expected the number 1, not 2/],
    [{ grants: 'title:book', store: 'nowhere' }, /There is no store "nowhere"/],
  ])('a code cannot be created with %j, and the reason is reported', async (input, message) => {
    expect(await readFailureMessage('codes make', input)).toMatch(message);
  });

  test('a code with a chosen text is created once', async () => {
    await runInStore('codes make', { grants: 'title:book', code: 'twice-the-same' });
    expect(await readFailureMessage('codes make', { grants: 'title:film', code: 'TWICE THE SAME' })).toMatch(
      /already has the code TWICE THE SAME/,
    );
    expect(await readUsesLeft(shop, 'TWICETHESAME')).toBe(1);
  });
});

describe('credits', () => {
  test('credits are granted once per key, also concurrently', async () => {
    const { email } = await createCustomer(shop, store);
    const giveCredits = (key: string, amount = 5) => runInStore('credits give', { email: email.toUpperCase(), amount, key });
    const results = await Promise.all([giveCredits('june'), giveCredits('june'), giveCredits('june')]);
    expect(results.map(({ message = '' }) => message.includes('before')).filter(Boolean)).toHaveLength(2);
    expect((await giveCredits('june')).rows).toEqual([{ email: email.toUpperCase(), amount: 5, balance: 5 }]);
    expect((await giveCredits('july')).rows).toEqual([{ email: email.toUpperCase(), amount: 5, balance: 10 }]);
    expect(await readFailureMessage('credits give', { email, amount: 7, key: 'june' })).toMatch(/5 credits were already/);
  });

  test('a dry run grants no credits', async () => {
    const { email } = await createCustomer(shop, store);
    const result = await runInStore('credits give', { email, amount: 5, key: 'k', dryRun: true });
    expect(result).toEqual({ rows: [{ email, amount: 5, balance: 0 }], message: `${email} could get 5 credits.` });
    expect((await runInStore('credits give', { email, amount: 5, key: 'k' })).rows).toEqual([{ email, amount: 5, balance: 5 }]);
  });

  test('credits are refused for unknown customers and invalid amounts', async () => {
    expect(await readFailureMessage('credits give', { email: 'nobody@example.org', amount: 5, key: 'k' })).toMatch(
      /no customer nobody@/,
    );
    const { email } = await createCustomer(shop, await shop.store());
    expect(await readFailureMessage('credits give', { email, amount: 5, key: 'k' })).toMatch(/has no customer/);
    expect(await readFailureMessage('credits give', { email, amount: -5, key: 'k' })).toMatch(/amount must be a whole number/);
  });
});

test('purchases are listed by date, each once, with customer, title and amount', async () => {
  const newStore = await shop.store();
  const customer = await createCustomer(shop, newStore);
  const [code = ''] = getCodes(await runOperation(shop.services, 'codes make', { store: newStore, grants: 'title:book' }));
  await redeemTitle(shop, customer, code);
  await shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'gratis' } });
  const { rows } = await runOperation(shop.services, 'purchases list', { store: newStore });
  expect(rows).toMatchObject([
    { email: customer.email, kind: 'code', title: 'book', paid: '', currency: '' },
    { email: customer.email, kind: 'free', title: 'gratis', name: 'A Free Sheet', paid: 0, currency: 'EUR' },
  ]);
  const purchasedAt = new Date('2026-03-05T12:00:00.123Z');
  const purchases = Array.from({ length: 1203 }, () => ({
    store_id: newStore,
    id: randomUUID(),
    user_id: customer.id,
    title_id: 'book',
    kind: 'payment' as const,
    amount_minor: 990,
    currency: 'EUR',
    purchased_at: purchasedAt,
  }));
  for (let offset = 0; offset < purchases.length; offset += 400)
    await shop.db
      .insertInto('purchases')
      .values(purchases.slice(offset, offset + 400))
      .execute();
  const days = { store: newStore, from: '2026-03-05', to: '2026-03-05' };
  const firstPage = await runOperation(shop.services, 'purchases list', days);
  const secondPage = await runOperation(shop.services, 'purchases list', { ...days, after: firstPage.next });
  const listedRows = [...firstPage.rows, ...secondPage.rows];
  expect(listedRows.map(({ purchase }) => String(purchase)).toSorted()).toEqual(purchases.map(({ id }) => id).toSorted());
  expect(listedRows[0]).toMatchObject({ kind: 'payment', paid: 9.9, currency: 'EUR', at: purchasedAt.toISOString() });
  expect(
    (await runOperation(shop.services, 'purchases list', { store: newStore, from: '2026-03-06', to: '2026-03-07' })).rows,
  ).toEqual([]);
  expect(await readFailureMessage('purchases list', { after: 'x' })).toMatch(/the previous page/);
});

describe('over HTTP', () => {
  const postOperation = (
    path: string,
    payload: unknown,
    headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` },
  ) => shop.app.inject({ method: 'POST', url: `/admin/operations/${path}`, headers, payload: payload as object });

  test('the administrator can make codes over HTTP, and a refused operation is answered 400 with its reason', async () => {
    const response = await postOperation('codes/make', { store, grants: 'credits:2' });
    expect(response.statusCode).toBe(200);
    const [code = ''] = getCodes(response.json<OperationResult>());
    expect((await lookUpCode(shop, { query: { shelfid: store } }, code)).value).toMatchObject({ Credits: 2 });
    const refusal = await postOperation('codes/make', { store, grants: 'credits:x' });
    expect([refusal.statusCode, refusal.json()]).toEqual([400, { error: expect.stringMatching(/number of credits/) as string }]);
  });

  const strangerHeaders: Record<string, string>[] = [{}, { authorization: 'Bearer wrong' }, { authorization: TOKEN }];
  test.each(strangerHeaders)('callers other than the administrator are refused, as with %j', async (headers) => {
    const countBefore = (await runInStore('codes list')).rows.length;
    expect((await postOperation('codes/make', { store, grants: 'credits:2' }, headers)).statusCode).toBe(401);
    expect((await runInStore('codes list')).rows).toHaveLength(countBefore);
  });

  test('unknown operations are refused over HTTP', async () => {
    expect((await postOperation('codes/burn', { store })).statusCode).toBe(400);
    expect((await postOperation('constructor/x', { store })).statusCode).toBe(400);
    expect((await postOperation('codes/list', [])).statusCode).toBe(400);
  });
});
