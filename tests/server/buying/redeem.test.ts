import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operate } from '../../../server/admin/operations.ts';
import { writtenCode } from '../../../server/base/code-text.ts';
import { codeIn, lookUp, redeemBenefit, redeemChoice, redeemTitle, usesLeft } from '../support/codes.ts';
import { customerOf, type Customer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { beginSubscribing, inDays, planIn, subscriptionOf, type Session } from '../support/subscriptions.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
  await planIn(shop, store);
});
beforeEach(async () => {
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

const visitor = () => ({ query: { shelfid: store } });
const made = (grants: string, more: object = {}) => codeIn(shop, store, { grants, ...more });
const withdrawn = async (grants: string) => {
  const code = await made(grants);
  expect((await operate(shop.services, 'codes withdraw', { store, code, dryRun: true })).rows).toMatchObject([
    { code: writtenCode(code), outcome: 'could be withdrawn' },
  ]);
  expect((await operate(shop.services, 'codes withdraw', { store, code: writtenCode(code) })).says).toMatch(
    /^1 code of the store/,
  );
  expect((await operate(shop.services, 'codes withdraw', { store, code })).says).toMatch(/^0 codes .* withdrawn; 1 before\.$/);
  await expect(operate(shop.services, 'codes withdraw', { store, code: `${code},NOCODEHERE` })).rejects.toThrow(/has no code/);
  return code;
};
const libraryOf = async ({ query }: Customer) => {
  const { value } = await shop.ask('userPurchases', '/user/purchases', { query });
  return ((value as { Purchase?: { TitleId: string; InstanceId: string; Paid?: number }[] }).Purchase ?? []).map((each) => each);
};
const balanceOf = async ({ query }: Customer) =>
  ((await shop.ask('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;
const ownPlan = async ({ query }: Customer) =>
  (
    (await shop.ask('ownSubscription', '/user/subscription', { query })).value as {
      subscription: { planId: string; status: string; until: string; price: { amount: number } } | null;
    }
  ).subscription;

describe('a look-up tells a visitor what a code gives, and uses nothing up [S7.redeem/apply]', () => {
  test.each([
    ['title:book', { Kind: 'title', Titles: [{ TitleId: 'book' }] }],
    ['titles:film,book,hidden', { Kind: 'titles', Titles: [{ TitleId: 'film' }, { TitleId: 'book' }, { TitleId: 'hidden' }] }],
    ['plan:monthly', { Kind: 'subscription', PlanId: 'monthly', Plan: { Name: 'Monthly' } }],
    ['trial:monthly:30', { Kind: 'subscription', PlanId: 'monthly', TrialDays: 30 }],
    ['credits:5', { Kind: 'credits', Credits: 5 }],
    ['discount:20%', { Kind: 'discount', PercentOff: 20 }],
    ['discount:20%:book', { Kind: 'discount', PercentOff: 20, Titles: [{ TitleId: 'book' }] }],
  ])('%s', async (grants, told) => {
    const code = await made(grants);
    const { status, value } = await lookUp(shop, visitor(), code);
    expect(status).toBe(200);
    expect(value).toMatchObject({ ...told, Redeemed: false });
    expect(value.Owned ?? []).toEqual([]);
    expect(await usesLeft(shop, code)).toBe(1);
  });
});

test.each([
  (code: string) => code.toLowerCase(),
  (code: string) => ` ${code.slice(0, 5)}-${code.slice(5, 10)} ${code.slice(10)}\u00A0`,
  (code: string) => `${code.slice(0, 3)}–${code.slice(3)}\u200B`,
  (code: string) => [...code].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join(''),
])('a code is the same however it is typed (%#)', async (typed) => {
  const code = await made('title:book');
  expect((await lookUp(shop, visitor(), typed(code))).value).toMatchObject({ Kind: 'title' });
});

test('a code gives its title once, and answers a repetition with the same copy [S7.redeem/title]', async () => {
  const code = await made('title:book');
  const first = await redeemTitle(shop, customer, code);
  expect(first).toMatchObject({ status: 200, value: { Purchase: [{ TitleId: 'book' }] } });
  expect((await redeemTitle(shop, customer, code.toLowerCase())).value).toEqual(first.value);
  expect(await libraryOf(customer)).toMatchObject([{ TitleId: 'book', InstanceId: first.value.Purchase?.[0]?.InstanceId }]);
  expect((await libraryOf(customer))[0]?.Paid).toBeUndefined();
  expect((await lookUp(shop, customer, code)).value).toMatchObject({
    Redeemed: true,
    InstanceId: first.value.Purchase?.[0]?.InstanceId,
    Titles: [{ TitleId: 'book' }],
  });
  const { value } = await shop.ask('userHasTitle', '/user/has-title', { query: { ...customer.query, titleid: 'book' } });
  expect(value).toMatchObject({ hasTitle: true });
});

test('one of several titles is given at the customer’s choice, and no other afterwards [S7.redeem/titles]', async () => {
  const code = await made('titles:film,book,sound');
  expect(await redeemChoice(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'choose_title' } });
  expect(await redeemTitle(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'choose_title' } });
  expect(await redeemChoice(shop, customer, code, 'gratis')).toMatchObject({ status: 409, value: { Code: 'code_misfit' } });
  const first = await redeemChoice(shop, customer, code, 'book');
  expect(first).toMatchObject({ status: 200, value: { Purchase: [{ TitleId: 'book' }] } });
  expect((await redeemChoice(shop, customer, code, 'film')).value).toEqual(first.value);
  expect((await libraryOf(customer)).map(({ TitleId }) => TitleId)).toEqual(['book']);
  expect((await lookUp(shop, customer, code)).value).toMatchObject({ Redeemed: true, Titles: [{ TitleId: 'book' }] });
});

test('credits are booked once', async () => {
  const code = await made('credits:7', { uses: 2 });
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 200, value: { Credits: 7, Redeemed: true } });
  expect((await redeemBenefit(shop, customer, code)).status).toBe(200);
  expect(await balanceOf(customer)).toBe(7);
  expect(await usesLeft(shop, code)).toBe(1);
});

test('a subscription is given for one period, for nothing, and ends by itself', async () => {
  const code = await made('plan:monthly');
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 200, value: { PlanId: 'monthly', Redeemed: true } });
  const own = await ownPlan(customer);
  expect(own).toMatchObject({ planId: 'monthly', status: 'cancelled', price: { amount: 0 } });
  const days = (Date.parse(own?.until ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(27.9);
  expect(days).toBeLessThan(31.1);
  expect((await redeemBenefit(shop, customer, code)).status).toBe(200);
  const another = await made('plan:monthly');
  expect(await lookUp(shop, customer, another)).toMatchObject({ status: 409, value: { Code: 'already_subscribed' } });
  expect(await redeemBenefit(shop, customer, another)).toMatchObject({ status: 409, value: { Code: 'already_subscribed' } });
  expect(await usesLeft(shop, another)).toBe(1);
  await shop.db
    .updateTable('subscriptions')
    .set({ renews_at: inDays(-1) })
    .where('user_id', '=', customer.id)
    .execute();
  expect(await ownPlan(customer)).toMatchObject({ status: 'ended' });
  expect((await redeemBenefit(shop, customer, another)).status).toBe(200);
  expect(await ownPlan(customer)).toMatchObject({ status: 'cancelled' });
});

test('a subscription that somebody has begun and not paid makes room for the code’s', async () => {
  const begun = (await beginSubscribing(shop, customer)).value as Session;
  expect((await redeemBenefit(shop, customer, await made('plan:monthly'))).status).toBe(200);
  const row = await shop.db.selectFrom('transactions').selectAll().where('id', '=', begun.transId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: 'cancelled', reason: 'code_redeemed' });
});

test('while a subscription is being charged for, a code gives none, and stays good', async () => {
  const begun = (await beginSubscribing(shop, customer)).value as Session;
  await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', begun.transId).execute();
  const code = await made('plan:monthly');
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'conflict' } });
  expect(await usesLeft(shop, code)).toBe(1);
});

test('a title that the customer has already is not given again: the code stays good', async () => {
  const [first, second] = [await made('title:book'), await made('titles:book,film')];
  await redeemTitle(shop, customer, first);
  expect((await lookUp(shop, customer, second)).value).toMatchObject({ Redeemed: false, Owned: ['book'] });
  expect(await redeemChoice(shop, customer, second, 'book')).toMatchObject({ status: 409, value: { Code: 'already_owned' } });
  expect(await usesLeft(shop, second)).toBe(1);
  expect((await redeemChoice(shop, customer, second, 'film')).status).toBe(200);
});

test.each([
  ['used up', () => made('title:book', { uses: 1, usesLeft: 0 }), 409, 'code_used'],
  ['withdrawn', () => withdrawn('title:book'), 409, 'code_withdrawn'],
  ['expired', () => made('title:book', { expiresAt: inDays(-1) }), 409, 'code_expired'],
  ['nobody’s', async () => 'NOBODYSCODE', 404, undefined],
  ['another store’s', async () => codeIn(shop, await shop.store(), { grants: 'title:book' }), 409, 'code_elsewhere'],
])('a code that is %s gives nothing', async (_, find, status, word) => {
  const code = await find();
  for (const answer of [
    await lookUp(shop, visitor(), code),
    await lookUp(shop, customer, code),
    await redeemTitle(shop, customer, code),
  ]) {
    expect(answer.status).toBe(status);
    expect(answer.value.Code).toBe(word);
  }
  expect(await libraryOf(customer)).toEqual([]);
});

test('who has used a code hears so, even when it is over', async () => {
  const code = await made('title:book', { expiresAt: inDays(1) });
  await redeemTitle(shop, customer, code);
  await shop.db
    .updateTable('codes')
    .set({ expires_at: inDays(-1) })
    .where('code', '=', code)
    .execute();
  expect((await lookUp(shop, customer, code)).value).toMatchObject({ Redeemed: true });
  expect((await redeemTitle(shop, customer, code)).status).toBe(200);
  expect(await lookUp(shop, await customerOf(shop, store), code)).toMatchObject({ status: 409, value: { Code: 'code_used' } });
});

test('a code is used by as many customers as it is good for', async () => {
  const code = await made('title:book', { uses: 2 });
  const others = [customer, await customerOf(shop, store), await customerOf(shop, store)];
  const answers = [];
  for (const each of others) answers.push((await redeemTitle(shop, each, code)).status);
  expect(answers).toEqual([200, 200, 409]);
  const endless = await made('title:film', { uses: null });
  for (const each of others) expect((await redeemTitle(shop, each, endless)).status).toBe(200);
  expect(await usesLeft(shop, endless)).toBeNull();
});

test.each([
  ['EnableWebTitleRedeem', ['title:book', 'credits:1', 'discount:5%'], 'title_codes_off'],
  ['EnableWebSubscriptionRedeem', ['plan:monthly', 'trial:monthly:7'], 'subscription_codes_off'],
])('without %s the store takes none of these', async (name, kinds, word) => {
  const own = await shop.store({ properties: { [name]: false } });
  await planIn(shop, own);
  const buyer = await customerOf(shop, own);
  for (const grants of kinds) {
    const code = await codeIn(shop, own, { grants });
    expect(await lookUp(shop, { query: { shelfid: own } }, code)).toMatchObject({ status: 409, value: { Code: word } });
    const used = grants.startsWith('title') ? redeemTitle(shop, buyer, code) : redeemBenefit(shop, buyer, code);
    expect((await used).value.Code).toMatch(/_off$|misfit/);
    expect(await usesLeft(shop, code)).toBe(1);
  }
});

test('a code is looked up for a title, or for a subscription', async () => {
  const [discount, ofBook, plan] = [await made('discount:25%'), await made('title:book'), await made('plan:monthly')];
  expect((await lookUp(shop, visitor(), discount, { titleid: 'book' })).value).toMatchObject({ PercentOff: 25, AmountOff: 2.48 });
  expect((await lookUp(shop, visitor(), ofBook, { titleid: 'book' })).status).toBe(200);
  expect((await lookUp(shop, visitor(), plan, { subscription: true })).status).toBe(200);
  for (const [code, more] of [
    [ofBook, { titleid: 'film' }],
    [plan, { titleid: 'book' }],
    [ofBook, { subscription: true }],
  ] as const)
    expect(await lookUp(shop, visitor(), code, more)).toMatchObject({ status: 409, value: { Code: 'code_misfit' } });
});

test('a code is used by the call of its kind alone', async () => {
  const [title, credits, discount, trial] = [
    await made('title:book'),
    await made('credits:1'),
    await made('discount:5%'),
    await made('trial:monthly:7'),
  ];
  for (const answer of [
    await redeemBenefit(shop, customer, title),
    await redeemTitle(shop, customer, credits),
    await redeemBenefit(shop, customer, discount),
    await redeemBenefit(shop, customer, trial),
  ])
    expect(answer).toMatchObject({ status: 409, value: { Code: 'code_misfit' } });
  for (const code of [title, credits, discount, trial]) expect(await usesLeft(shop, code)).toBe(1);
});

test('what a customer has redeemed is told in the log, and to nobody else', async () => {
  const code = await made('title:book');
  await redeemTitle(shop, customer, code);
  const log = await shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', customer.id).execute();
  expect(log.map(({ kind }) => kind)).toContain('code_redeemed');
  const { value } = await shop.ask('userData', '/user/data', { query: customer.query });
  expect(value).toMatchObject({ codes: [{ code, redeemedAt: expect.any(String) as string }] });
  expect((await lookUp(shop, visitor(), code)).value).toMatchObject({ Code: 'code_used' });
});

test('a subscription that runs keeps codes for another one good', async () => {
  await subscriptionOf(shop, customer);
  const code = await made('plan:monthly');
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'already_subscribed' } });
  expect(await usesLeft(shop, code)).toBe(1);
});
