import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runOperation } from '../../../server/admin/operations.ts';
import { formatCode } from '../../../server/base/code-text.ts';
import { makeCodeIn, lookUpCode, redeemBenefit, redeemChoice, redeemTitle, readUsesLeft } from '../support/codes.ts';
import { createCustomer, type Customer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { startSubscription, dateInDays, insertPlan, insertSubscription, type Session } from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  await insertPlan(shop, store);
});
beforeEach(async () => {
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const asVisitor = () => ({ query: { shelfid: store } });
const makeCode = (grants: string, more: object = {}) => makeCodeIn(shop, store, { grants, ...more });
const makeWithdrawnCode = async (grants: string) => {
  const code = await makeCode(grants);
  expect((await runOperation(shop.services, 'codes withdraw', { store, code, dryRun: true })).rows).toMatchObject([
    { code: formatCode(code), outcome: 'could be withdrawn' },
  ]);
  expect((await runOperation(shop.services, 'codes withdraw', { store, code: formatCode(code) })).says).toMatch(
    /^1 code of the store/,
  );
  expect((await runOperation(shop.services, 'codes withdraw', { store, code })).says).toMatch(
    /^0 codes .* withdrawn; 1 before\.$/,
  );
  await expect(runOperation(shop.services, 'codes withdraw', { store, code: `${code},NOCODEHERE` })).rejects.toThrow(
    /has no code/,
  );
  return code;
};
const readLibrary = async ({ query }: Customer) => {
  const { value } = await shop.ask('userPurchases', '/user/purchases', { query });
  return ((value as { Purchase?: { TitleId: string; InstanceId: string; Paid?: number }[] }).Purchase ?? []).map((each) => each);
};
const readBalance = async ({ query }: Customer) =>
  ((await shop.ask('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;
const readOwnPlan = async ({ query }: Customer) =>
  (
    (await shop.ask('ownSubscription', '/user/subscription', { query })).value as {
      subscription: { planId: string; status: string; until: string; price: { amount: number } } | null;
    }
  ).subscription;

describe('a look-up shows a visitor what a code grants, and does not use it [S7.redeem/apply]', () => {
  test.each([
    ['title:book', { Kind: 'title', Titles: [{ TitleId: 'book' }] }],
    ['titles:film,book,hidden', { Kind: 'titles', Titles: [{ TitleId: 'film' }, { TitleId: 'book' }, { TitleId: 'hidden' }] }],
    ['plan:monthly', { Kind: 'subscription', PlanId: 'monthly', Plan: { Name: 'Monthly' } }],
    ['trial:monthly:30', { Kind: 'subscription', PlanId: 'monthly', TrialDays: 30 }],
    ['credits:5', { Kind: 'credits', Credits: 5 }],
    ['discount:20%', { Kind: 'discount', PercentOff: 20 }],
    ['discount:20%:book', { Kind: 'discount', PercentOff: 20, Titles: [{ TitleId: 'book' }] }],
  ])('%s', async (grants, told) => {
    const code = await makeCode(grants);
    const { status, value } = await lookUpCode(shop, asVisitor(), code);
    expect(status).toBe(200);
    expect(value).toMatchObject({ ...told, Redeemed: false });
    expect(value.Owned ?? []).toEqual([]);
    expect(await readUsesLeft(shop, code)).toBe(1);
  });
});

test.each([
  (code: string) => code.toLowerCase(),
  (code: string) => ` ${code.slice(0, 5)}-${code.slice(5, 10)} ${code.slice(10)}\u00A0`,
  (code: string) => `${code.slice(0, 3)}–${code.slice(3)}\u200B`,
  (code: string) => [...code].map((message) => String.fromCodePoint((message.codePointAt(0) ?? 0) + 0xfee0)).join(''),
])('a code is accepted in any spelling (%#)', async (typed) => {
  const code = await makeCode('title:book');
  expect((await lookUpCode(shop, asVisitor(), typed(code))).value).toMatchObject({ Kind: 'title' });
});

test('a code grants its title once, and a repetition returns the same copy [S7.redeem/title]', async () => {
  const code = await makeCode('title:book');
  const first = await redeemTitle(shop, customer, code);
  expect(first).toMatchObject({ status: 200, value: { Purchase: [{ TitleId: 'book' }] } });
  expect((await redeemTitle(shop, customer, code.toLowerCase())).value).toEqual(first.value);
  expect(await readLibrary(customer)).toMatchObject([{ TitleId: 'book', InstanceId: first.value.Purchase?.[0]?.InstanceId }]);
  expect((await readLibrary(customer))[0]?.Paid).toBeUndefined();
  expect((await lookUpCode(shop, customer, code)).value).toMatchObject({
    Redeemed: true,
    InstanceId: first.value.Purchase?.[0]?.InstanceId,
    Titles: [{ TitleId: 'book' }],
  });
  const { value } = await shop.ask('userHasTitle', '/user/has-title', { query: { ...customer.query, titleid: 'book' } });
  expect(value).toMatchObject({ hasTitle: true });
});

test('of several titles the customer chooses one, and cannot change the choice [S7.redeem/titles]', async () => {
  const code = await makeCode('titles:film,book,sound');
  expect(await redeemChoice(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'choose_title' } });
  expect(await redeemTitle(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'choose_title' } });
  expect(await redeemChoice(shop, customer, code, 'gratis')).toMatchObject({ status: 409, value: { Code: 'code_misfit' } });
  const first = await redeemChoice(shop, customer, code, 'book');
  expect(first).toMatchObject({ status: 200, value: { Purchase: [{ TitleId: 'book' }] } });
  expect((await redeemChoice(shop, customer, code, 'film')).value).toEqual(first.value);
  expect((await readLibrary(customer)).map(({ TitleId }) => TitleId)).toEqual(['book']);
  expect((await lookUpCode(shop, customer, code)).value).toMatchObject({ Redeemed: true, Titles: [{ TitleId: 'book' }] });
});

test('a code’s credits are booked once', async () => {
  const code = await makeCode('credits:7', { uses: 2 });
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 200, value: { Credits: 7, Redeemed: true } });
  expect((await redeemBenefit(shop, customer, code)).status).toBe(200);
  expect(await readBalance(customer)).toBe(7);
  expect(await readUsesLeft(shop, code)).toBe(1);
});

test('a code’s subscription is free for one period, and ends by itself', async () => {
  const code = await makeCode('plan:monthly');
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 200, value: { PlanId: 'monthly', Redeemed: true } });
  const own = await readOwnPlan(customer);
  expect(own).toMatchObject({ planId: 'monthly', status: 'cancelled', price: { amount: 0 } });
  const days = (Date.parse(own?.until ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(27.9);
  expect(days).toBeLessThan(31.1);
  expect((await redeemBenefit(shop, customer, code)).status).toBe(200);
  const another = await makeCode('plan:monthly');
  expect(await lookUpCode(shop, customer, another)).toMatchObject({ status: 409, value: { Code: 'already_subscribed' } });
  expect(await redeemBenefit(shop, customer, another)).toMatchObject({ status: 409, value: { Code: 'already_subscribed' } });
  expect(await readUsesLeft(shop, another)).toBe(1);
  await shop.db
    .updateTable('subscriptions')
    .set({ renews_at: dateInDays(-1) })
    .where('user_id', '=', customer.id)
    .execute();
  expect(await readOwnPlan(customer)).toMatchObject({ status: 'ended' });
  expect((await redeemBenefit(shop, customer, another)).status).toBe(200);
  expect(await readOwnPlan(customer)).toMatchObject({ status: 'cancelled' });
});

test('a started but unpaid subscription is cancelled when a code grants one', async () => {
  const begun = (await startSubscription(shop, customer)).value as Session;
  expect((await redeemBenefit(shop, customer, await makeCode('plan:monthly'))).status).toBe(200);
  const row = await shop.db.selectFrom('transactions').selectAll().where('id', '=', begun.transId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: 'cancelled', reason: 'code_redeemed' });
});

test('while a subscription is being charged, a code grants none and stays unused', async () => {
  const begun = (await startSubscription(shop, customer)).value as Session;
  await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', begun.transId).execute();
  const code = await makeCode('plan:monthly');
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'conflict' } });
  expect(await readUsesLeft(shop, code)).toBe(1);
});

test('a title that the customer owns is not granted again: the code stays unused', async () => {
  const [first, second] = [await makeCode('title:book'), await makeCode('titles:book,film')];
  await redeemTitle(shop, customer, first);
  expect((await lookUpCode(shop, customer, second)).value).toMatchObject({ Redeemed: false, Owned: ['book'] });
  expect(await redeemChoice(shop, customer, second, 'book')).toMatchObject({ status: 409, value: { Code: 'already_owned' } });
  expect(await readUsesLeft(shop, second)).toBe(1);
  expect((await redeemChoice(shop, customer, second, 'film')).status).toBe(200);
});

test.each([
  ['used up', () => makeCode('title:book', { uses: 1, usesLeft: 0 }), 409, 'code_used'],
  ['withdrawn', () => makeWithdrawnCode('title:book'), 409, 'code_withdrawn'],
  ['expired', () => makeCode('title:book', { expiresAt: dateInDays(-1) }), 409, 'code_expired'],
  ['unknown', async () => 'NOBODYSCODE', 404, undefined],
  ['of another store', async () => makeCodeIn(shop, await shop.store(), { grants: 'title:book' }), 409, 'code_elsewhere'],
])('a code that is %s grants nothing', async (_, find, status, word) => {
  const code = await find();
  for (const answer of [
    await lookUpCode(shop, asVisitor(), code),
    await lookUpCode(shop, customer, code),
    await redeemTitle(shop, customer, code),
  ]) {
    expect(answer.status).toBe(status);
    expect(answer.value.Code).toBe(word);
  }
  expect(await readLibrary(customer)).toEqual([]);
});

test('a customer who has used a code gets the same response even after it has expired', async () => {
  const code = await makeCode('title:book', { expiresAt: dateInDays(1) });
  await redeemTitle(shop, customer, code);
  await shop.db
    .updateTable('codes')
    .set({ expires_at: dateInDays(-1) })
    .where('code', '=', code)
    .execute();
  expect((await lookUpCode(shop, customer, code)).value).toMatchObject({ Redeemed: true });
  expect((await redeemTitle(shop, customer, code)).status).toBe(200);
  expect(await lookUpCode(shop, await createCustomer(shop, store), code)).toMatchObject({
    status: 409,
    value: { Code: 'code_used' },
  });
});

test('a code can be used by as many customers as its number of uses', async () => {
  const code = await makeCode('title:book', { uses: 2 });
  const others = [customer, await createCustomer(shop, store), await createCustomer(shop, store)];
  const answers = [];
  for (const each of others) answers.push((await redeemTitle(shop, each, code)).status);
  expect(answers).toEqual([200, 200, 409]);
  const endless = await makeCode('title:film', { uses: null });
  for (const each of others) expect((await redeemTitle(shop, each, endless)).status).toBe(200);
  expect(await readUsesLeft(shop, endless)).toBeNull();
});

test.each([
  ['EnableWebTitleRedeem', ['title:book', 'credits:1', 'discount:5%'], 'title_codes_off'],
  ['EnableWebSubscriptionRedeem', ['plan:monthly', 'trial:monthly:7'], 'subscription_codes_off'],
])('without %s the store accepts no such codes', async (name, kinds, word) => {
  const own = await shop.store({ properties: { [name]: false } });
  await insertPlan(shop, own);
  const buyer = await createCustomer(shop, own);
  for (const grants of kinds) {
    const code = await makeCodeIn(shop, own, { grants });
    expect(await lookUpCode(shop, { query: { shelfid: own } }, code)).toMatchObject({ status: 409, value: { Code: word } });
    const used = grants.startsWith('title') ? redeemTitle(shop, buyer, code) : redeemBenefit(shop, buyer, code);
    expect((await used).value.Code).toMatch(/_off$|misfit/);
    expect(await readUsesLeft(shop, code)).toBe(1);
  }
});

test('a code can be looked up for a title or for a subscription', async () => {
  const [discount, ofBook, plan] = [await makeCode('discount:25%'), await makeCode('title:book'), await makeCode('plan:monthly')];
  expect((await lookUpCode(shop, asVisitor(), discount, { titleid: 'book' })).value).toMatchObject({
    PercentOff: 25,
    AmountOff: 2.48,
  });
  expect((await lookUpCode(shop, asVisitor(), ofBook, { titleid: 'book' })).status).toBe(200);
  expect((await lookUpCode(shop, asVisitor(), plan, { subscription: true })).status).toBe(200);
  for (const [code, more] of [
    [ofBook, { titleid: 'film' }],
    [plan, { titleid: 'book' }],
    [ofBook, { subscription: true }],
  ] as const)
    expect(await lookUpCode(shop, asVisitor(), code, more)).toMatchObject({ status: 409, value: { Code: 'code_misfit' } });
});

test('a code is accepted only by the call of its kind', async () => {
  const [title, credits, discount, trial] = [
    await makeCode('title:book'),
    await makeCode('credits:1'),
    await makeCode('discount:5%'),
    await makeCode('trial:monthly:7'),
  ];
  for (const answer of [
    await redeemBenefit(shop, customer, title),
    await redeemTitle(shop, customer, credits),
    await redeemBenefit(shop, customer, discount),
    await redeemBenefit(shop, customer, trial),
  ])
    expect(answer).toMatchObject({ status: 409, value: { Code: 'code_misfit' } });
  for (const code of [title, credits, discount, trial]) expect(await readUsesLeft(shop, code)).toBe(1);
});

test('a redeemed code is in its customer’s audit log, and in no other', async () => {
  const code = await makeCode('title:book');
  await redeemTitle(shop, customer, code);
  const log = await shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', customer.id).execute();
  expect(log.map(({ kind }) => kind)).toContain('code_redeemed');
  const { value } = await shop.ask('userData', '/user/data', { query: customer.query });
  expect(value).toMatchObject({ codes: [{ code, redeemedAt: expect.any(String) as string }] });
  expect((await lookUpCode(shop, asVisitor(), code)).value).toMatchObject({ Code: 'code_used' });
});

test('a running subscription does not use up a code for another one', async () => {
  await insertSubscription(shop, customer);
  const code = await makeCode('plan:monthly');
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'already_subscribed' } });
  expect(await readUsesLeft(shop, code)).toBe(1);
});
