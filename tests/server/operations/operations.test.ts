import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Given, Told } from '../../../server/admin/given.ts';
import { operate } from '../../../server/admin/operations.ts';
import { plainCode } from '../../../server/base/code-text.ts';
import { lookUp, redeemTitle, usesLeft } from '../support/codes.ts';
import { customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { inDays, planIn } from '../support/subscriptions.ts';

const TOKEN = 'a token of the tests, long enough';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: TOKEN } });
  store = await shop.store();
  await planIn(shop, store);
});
afterAll(() => shop.close());

const done = (name: string, given: Given = {}): Promise<Told> => operate(shop.services, name, { store, ...given });
const why = (name: string, given: Given = {}): Promise<string> =>
  done(name, given).then(
    () => 'done',
    (error: unknown) => (error as Error).message,
  );
const codesOf = ({ rows }: Told): string[] => rows.map(({ code }) => String(code));

describe('codes', () => {
  test('as many are made as are asked for, each another, and each is good', async () => {
    const told = await done('codes make', { grants: 'title:book', count: 1100 });
    const codes = codesOf(told);
    expect(new Set(codes).size).toBe(1100);
    expect(codes.every((code) => /^[2-9A-HJKMNP-TV-Z]{5}(-[2-9A-HJKMNP-TV-Z]{5}){2}$/.test(code))).toBe(true);
    expect(told.says).toBe(`Made 1100 codes for title:book in the store ${store}.`);
    for (const code of [codes[0], codes[1099]])
      expect((await lookUp(shop, { query: { shelfid: store } }, code ?? '')).value).toMatchObject({ Kind: 'title' });
  });

  test('all that were made are listed, with what they give and what is left of them', async () => {
    const own = await shop.store();
    await planIn(shop, own);
    const make = async (grants: string, more: Given = {}) =>
      codesOf(await operate(shop.services, 'codes make', { store: own, grants, ...more }))[0] ?? '';
    const made = new Map([
      [await make('title:book'), { grants: 'title:book', uses: 1, left: 1, expires: '' }],
      [await make('titles:film,book', { uses: 3 }), { grants: 'titles:film,book', uses: 3, left: 3, expires: '' }],
      [await make('plan:monthly', { uses: 'unlimited' }), { grants: 'plan:monthly', uses: null, left: null, expires: '' }],
      [await make('trial:monthly:30'), { grants: 'trial:monthly:30', uses: 1, left: 1, expires: '' }],
      [await make('credits:5'), { grants: 'credits:5', uses: 1, left: 1, expires: '' }],
      [
        await make('discount:20%', { expires: '2099-01-31' }),
        { grants: 'discount:20%', uses: 1, left: 1, expires: '2099-01-31' },
      ],
      [await make('discount:5:book', { code: 'Spring-99' }), { grants: 'discount:5%:book', uses: 1, left: 1, expires: '' }],
    ]);
    const { rows, next } = await operate(shop.services, 'codes list', { store: own });
    expect(next).toBeUndefined();
    expect(new Map(rows.map(({ code, grants, uses, left, expires }) => [code, { grants, uses, left, expires }]))).toEqual(made);
    expect(made.has('SPRING99')).toBe(true);
  });

  test('a long list comes in pages, each code once', async () => {
    const own = await shop.store();
    const codes = codesOf(await operate(shop.services, 'codes make', { store: own, grants: 'credits:1', count: 1500 }));
    const first = await operate(shop.services, 'codes list', { store: own });
    const second = await operate(shop.services, 'codes list', { store: own, after: first.next });
    expect(second.next).toBeUndefined();
    expect([...codesOf(first), ...codesOf(second)].toSorted()).toEqual(codes.toSorted());
  });

  test('a code is good to the end of the day that it expires on', async () => {
    const day = inDays(3).toISOString().slice(0, 10);
    const [code = ''] = codesOf(await done('codes make', { grants: 'title:book', expires: day }));
    const row = await shop.db.selectFrom('codes').select('expires_at').where('code', '=', plainCode(code)).executeTakeFirst();
    expect(row?.expires_at?.getTime()).toBe(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
  });

  test('a dry run makes none', async () => {
    const own = await shop.store();
    const told = await operate(shop.services, 'codes make', { store: own, grants: 'title:book', count: 10, dryRun: true });
    expect(told).toEqual({ rows: [], says: `10 codes for title:book could be made in the store ${own}.` });
    expect((await operate(shop.services, 'codes list', { store: own })).rows).toEqual([]);
  });

  test.each([
    [{ grants: 'title:none' }, /has no title none/],
    [{ grants: 'titles:book' }, /of two titles at least/],
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
    [{ grants: 'title:book', expires: '2020-01-01' }, /expires is over already/],
    [{ grants: 'title:book', expires: '2027-02-30' }, /must be a day like 2027-01-31/],
    [{ grants: 'title:book', code: 'x' }, /4 to 64 letters and figures/],
    [{ grants: 'title:book', code: 'SPRING', count: 2 }, /leave out how many/],
    [{ grants: 'title:book', store: 'nowhere' }, /There is no store "nowhere"/],
  ])('%j cannot be made, and says why', async (given, says) => {
    expect(await why('codes make', given)).toMatch(says);
  });

  test('a code of one’s own is made once', async () => {
    await done('codes make', { grants: 'title:book', code: 'twice-the-same' });
    expect(await why('codes make', { grants: 'title:film', code: 'TWICE THE SAME' })).toMatch(
      /has the code TWICE THE SAME already/,
    );
    expect(await usesLeft(shop, 'TWICETHESAME')).toBe(1);
  });
});

describe('credits', () => {
  test('are given once with the same key, also at the same moment', async () => {
    const { email } = await customerOf(shop, store);
    const give = (key: string, amount = 5) => done('credits give', { email: email.toUpperCase(), amount, key });
    const told = await Promise.all([give('june'), give('june'), give('june')]);
    expect(told.map(({ says = '' }) => says.includes('before')).filter(Boolean)).toHaveLength(2);
    expect((await give('june')).rows).toEqual([{ email: email.toUpperCase(), amount: 5, balance: 5 }]);
    expect((await give('july')).rows).toEqual([{ email: email.toUpperCase(), amount: 5, balance: 10 }]);
    expect(await why('credits give', { email, amount: 7, key: 'june' })).toMatch(/5 credits were given already/);
  });

  test('a dry run gives none', async () => {
    const { email } = await customerOf(shop, store);
    const told = await done('credits give', { email, amount: 5, key: 'k', dryRun: true });
    expect(told).toEqual({ rows: [{ email, amount: 5, balance: 0 }], says: `${email} could get 5 credits.` });
    expect((await done('credits give', { email, amount: 5, key: 'k' })).rows).toEqual([{ email, amount: 5, balance: 5 }]);
  });

  test('go to nobody who is not there', async () => {
    expect(await why('credits give', { email: 'nobody@example.org', amount: 5, key: 'k' })).toMatch(/no customer nobody@/);
    const { email } = await customerOf(shop, await shop.store());
    expect(await why('credits give', { email, amount: 5, key: 'k' })).toMatch(/has no customer/);
    expect(await why('credits give', { email, amount: -5, key: 'k' })).toMatch(/amount must be a whole number/);
  });
});

test('purchases are listed with who made them, what for, and for how much; each once, by days', async () => {
  const own = await shop.store();
  const customer = await customerOf(shop, own);
  const [code = ''] = codesOf(await operate(shop.services, 'codes make', { store: own, grants: 'title:book' }));
  await redeemTitle(shop, customer, code);
  await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...customer.query, titleId: 'gratis' } });
  const { rows } = await operate(shop.services, 'purchases list', { store: own });
  expect(rows).toMatchObject([
    { email: customer.email, kind: 'code', title: 'book', paid: '', currency: '' },
    { email: customer.email, kind: 'free', title: 'gratis', name: 'A Free Sheet', paid: 0, currency: 'EUR' },
  ]);
  const at = new Date('2026-03-05T12:00:00.123Z');
  const many = Array.from({ length: 1203 }, () => ({
    store_id: own,
    id: randomUUID(),
    user_id: customer.id,
    title_id: 'book',
    kind: 'payment' as const,
    amount_minor: 990,
    currency: 'EUR',
    purchased_at: at,
  }));
  for (let start = 0; start < many.length; start += 400)
    await shop.db
      .insertInto('purchases')
      .values(many.slice(start, start + 400))
      .execute();
  const days = { store: own, from: '2026-03-05', to: '2026-03-05' };
  const first = await operate(shop.services, 'purchases list', days);
  const second = await operate(shop.services, 'purchases list', { ...days, after: first.next });
  const listed = [...first.rows, ...second.rows];
  expect(listed.map(({ purchase }) => String(purchase)).toSorted()).toEqual(many.map(({ id }) => id).toSorted());
  expect(listed[0]).toMatchObject({ kind: 'payment', paid: 9.9, currency: 'EUR', at: at.toISOString() });
  expect((await operate(shop.services, 'purchases list', { store: own, from: '2026-03-06', to: '2026-03-07' })).rows).toEqual([]);
  expect(await why('purchases list', { after: 'x' })).toMatch(/the page before/);
});

describe('over the wire', () => {
  const post = (path: string, payload: unknown, headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` }) =>
    shop.app.inject({ method: 'POST', url: `/admin/operations/${path}`, headers, payload: payload as object });

  test('the administrator is told as much as at the database', async () => {
    const answer = await post('codes/make', { store, grants: 'credits:2' });
    expect(answer.statusCode).toBe(200);
    const [code = ''] = codesOf(answer.json<Told>());
    expect((await lookUp(shop, { query: { shelfid: store } }, code)).value).toMatchObject({ Credits: 2 });
    const refused = await post('codes/make', { store, grants: 'credits:x' });
    expect([refused.statusCode, refused.json()]).toEqual([400, { error: expect.stringMatching(/number of credits/) as string }]);
  });

  const strangers: Record<string, string>[] = [{}, { authorization: 'Bearer wrong' }, { authorization: TOKEN }];
  test.each(strangers)('nobody else is, as with %j', async (headers) => {
    const before = (await done('codes list')).rows.length;
    expect((await post('codes/make', { store, grants: 'credits:2' }, headers)).statusCode).toBe(401);
    expect((await done('codes list')).rows).toHaveLength(before);
  });

  test('what is no operation is refused', async () => {
    expect((await post('codes/burn', { store })).statusCode).toBe(400);
    expect((await post('constructor/x', { store })).statusCode).toBe(400);
    expect((await post('codes/list', [])).statusCode).toBe(400);
  });
});
