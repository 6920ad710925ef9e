import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runOperation } from '../../../server/admin/operations.ts';
import { formatCode } from '../../../server/base/code-text.ts';
import { insertCode, lookUpCode, redeemBenefit, redeemChoice, redeemTitle, readUsesLeft } from '../support/codes.ts';
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

const makeVisitor = () => ({ query: { shelfid: store } });
const makeCode = (grants: string, options: object = {}) => insertCode(shop, store, { grants, ...options });
const makeWithdrawnCode = async (grants: string) => {
  const code = await makeCode(grants);
  expect((await runOperation(shop.services, 'codes withdraw', { store, code, dryRun: true })).rows).toMatchObject([
    { code: formatCode(code), outcome: 'could be withdrawn' },
  ]);
  expect((await runOperation(shop.services, 'codes withdraw', { store, code: formatCode(code) })).message).toMatch(
    /^1 code of the store/,
  );
  expect((await runOperation(shop.services, 'codes withdraw', { store, code })).message).toMatch(
    /^0 codes .* withdrawn; 1 before\.$/,
  );
  await expect(runOperation(shop.services, 'codes withdraw', { store, code: `${code},NOCODEHERE` })).rejects.toThrow(
    /has no code/,
  );
  return code;
};
const readLibrary = async ({ query }: Customer) => {
  const { value } = await shop.call('userPurchases', '/user/purchases', { query });
  return ((value as { Purchase?: { TitleId: string; InstanceId: string; Paid?: number }[] }).Purchase ?? []).map((row) => row);
};
const readBalance = async ({ query }: Customer) =>
  ((await shop.call('creditBalance', '/credits/balance', { query })).value as { CreditBalance: number }).CreditBalance;
const readOwnPlan = async ({ query }: Customer) =>
  (
    (await shop.call('ownSubscription', '/user/subscription', { query })).value as {
      subscription: { planId: string; status: string; until: string; price: { amount: number } } | null;
    }
  ).subscription;

describe('looking up a code [S7.redeem/apply]', () => {
  test.each([
    ['title:book', { Kind: 'title', Titles: [{ TitleId: 'book' }] }],
    ['titles:film,book,hidden', { Kind: 'titles', Titles: [{ TitleId: 'film' }, { TitleId: 'book' }, { TitleId: 'hidden' }] }],
    ['plan:monthly', { Kind: 'subscription', PlanId: 'monthly', Plan: { Name: 'Monthly' } }],
    ['trial:monthly:30', { Kind: 'subscription', PlanId: 'monthly', TrialDays: 30 }],
    ['credits:5', { Kind: 'credits', Credits: 5 }],
    ['discount:20%', { Kind: 'discount', PercentOff: 20 }],
    ['discount:20%:book', { Kind: 'discount', PercentOff: 20, Titles: [{ TitleId: 'book' }] }],
  ])('a look-up of a code for %s shows a visitor what it grants, and does not use it', async (grants, expectedLookup) => {
    const code = await makeCode(grants);
    const { status, value } = await lookUpCode(shop, makeVisitor(), code);
    expect(status).toBe(200);
    expect(value).toMatchObject({ ...expectedLookup, Redeemed: false });
    expect(value.Owned ?? []).toEqual([]);
    expect(await readUsesLeft(shop, code)).toBe(1);
  });
});

test.each<[string, (code: string) => string]>([
  ['in lower case', (code) => code.toLowerCase()],
  ['in groups between spaces and hyphens', (code) => ` ${code.slice(0, 5)}-${code.slice(5, 10)} ${code.slice(10)}\u00A0`],
  ['with a dash and an invisible character', (code) => `${code.slice(0, 3)}–${code.slice(3)}\u200B`],
  [
    'in full-width characters',
    (code) => [...code].map((character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0)).join(''),
  ],
])('a code is accepted %s', async (_spelling, respell) => {
  const code = await makeCode('title:book');
  expect((await lookUpCode(shop, makeVisitor(), respell(code))).value).toMatchObject({ Kind: 'title' });
});

test('a code grants its title once, and a repetition returns the same copy [S7.redeem/title]', async () => {
  const code = await makeCode('title:book');
  const firstResponse = await redeemTitle(shop, customer, code);
  expect(firstResponse).toMatchObject({ status: 200, value: { Purchase: [{ TitleId: 'book' }] } });
  expect((await redeemTitle(shop, customer, code.toLowerCase())).value).toEqual(firstResponse.value);
  expect(await readLibrary(customer)).toMatchObject([
    { TitleId: 'book', InstanceId: firstResponse.value.Purchase?.[0]?.InstanceId },
  ]);
  expect((await readLibrary(customer))[0]?.Paid).toBeUndefined();
  expect((await lookUpCode(shop, customer, code)).value).toMatchObject({
    Redeemed: true,
    InstanceId: firstResponse.value.Purchase?.[0]?.InstanceId,
    Titles: [{ TitleId: 'book' }],
  });
  const { value } = await shop.call('userHasTitle', '/user/has-title', { query: { ...customer.query, titleid: 'book' } });
  expect(value).toMatchObject({ hasTitle: true });
});

test('a customer chooses one of a code’s titles, and cannot change the choice [S7.redeem/titles]', async () => {
  const code = await makeCode('titles:film,book,sound');
  expect(await redeemChoice(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'choose_title' } });
  expect(await redeemTitle(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'choose_title' } });
  expect(await redeemChoice(shop, customer, code, 'gratis')).toMatchObject({ status: 409, value: { Code: 'code_misfit' } });
  const firstResponse = await redeemChoice(shop, customer, code, 'book');
  expect(firstResponse).toMatchObject({ status: 200, value: { Purchase: [{ TitleId: 'book' }] } });
  expect((await redeemChoice(shop, customer, code, 'film')).value).toEqual(firstResponse.value);
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

test('a code’s subscription is free for one period and then ends', async () => {
  const code = await makeCode('plan:monthly');
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 200, value: { PlanId: 'monthly', Redeemed: true } });
  const subscription = await readOwnPlan(customer);
  expect(subscription).toMatchObject({ planId: 'monthly', status: 'cancelled', price: { amount: 0 } });
  const days = (Date.parse(subscription?.until ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(27.9);
  expect(days).toBeLessThan(31.1);
  expect((await redeemBenefit(shop, customer, code)).status).toBe(200);
  const secondCode = await makeCode('plan:monthly');
  expect(await lookUpCode(shop, customer, secondCode)).toMatchObject({ status: 409, value: { Code: 'already_subscribed' } });
  expect(await redeemBenefit(shop, customer, secondCode)).toMatchObject({ status: 409, value: { Code: 'already_subscribed' } });
  expect(await readUsesLeft(shop, secondCode)).toBe(1);
  await shop.db
    .updateTable('subscriptions')
    .set({ renews_at: dateInDays(-1) })
    .where('user_id', '=', customer.id)
    .execute();
  expect(await readOwnPlan(customer)).toMatchObject({ status: 'ended' });
  expect((await redeemBenefit(shop, customer, secondCode)).status).toBe(200);
  expect(await readOwnPlan(customer)).toMatchObject({ status: 'cancelled' });
});

test('a started but unpaid subscription is cancelled when a code grants one', async () => {
  const session = (await startSubscription(shop, customer)).value as Session;
  expect((await redeemBenefit(shop, customer, await makeCode('plan:monthly'))).status).toBe(200);
  const row = await shop.db.selectFrom('transactions').selectAll().where('id', '=', session.transId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ status: 'cancelled', reason: 'code_redeemed' });
});

test('a code for a subscription stays unused while another subscription is being charged', async () => {
  const session = (await startSubscription(shop, customer)).value as Session;
  await shop.db.updateTable('transactions').set({ status: 'capturing' }).where('id', '=', session.transId).execute();
  const code = await makeCode('plan:monthly');
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'conflict' } });
  expect(await readUsesLeft(shop, code)).toBe(1);
});

test('a code stays unused when the customer owns its title', async () => {
  const [firstCode, secondCode] = [await makeCode('title:book'), await makeCode('titles:book,film')];
  await redeemTitle(shop, customer, firstCode);
  expect((await lookUpCode(shop, customer, secondCode)).value).toMatchObject({ Redeemed: false, Owned: ['book'] });
  expect(await redeemChoice(shop, customer, secondCode, 'book')).toMatchObject({ status: 409, value: { Code: 'already_owned' } });
  expect(await readUsesLeft(shop, secondCode)).toBe(1);
  expect((await redeemChoice(shop, customer, secondCode, 'film')).status).toBe(200);
});

test.each([
  ['used up', () => makeCode('title:book', { uses: 1, usesLeft: 0 }), 409, 'code_used'],
  ['withdrawn', () => makeWithdrawnCode('title:book'), 409, 'code_withdrawn'],
  ['expired', () => makeCode('title:book', { expiresAt: dateInDays(-1) }), 409, 'code_expired'],
  ['unknown', async () => 'NOBODYSCODE', 404, undefined],
  ['of another store', async () => insertCode(shop, await shop.store(), { grants: 'title:book' }), 409, 'code_elsewhere'],
])('a code that is %s grants nothing', async (_, createCode, status, expectedCode) => {
  const code = await createCode();
  for (const response of [
    await lookUpCode(shop, makeVisitor(), code),
    await lookUpCode(shop, customer, code),
    await redeemTitle(shop, customer, code),
  ]) {
    expect(response.status).toBe(status);
    expect(response.value.Code).toBe(expectedCode);
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
  const customers = [customer, await createCustomer(shop, store), await createCustomer(shop, store)];
  const statuses = [];
  for (const redeemer of customers) statuses.push((await redeemTitle(shop, redeemer, code)).status);
  expect(statuses).toEqual([200, 200, 409]);
  const unlimitedCode = await makeCode('title:film', { uses: null });
  for (const redeemer of customers) expect((await redeemTitle(shop, redeemer, unlimitedCode)).status).toBe(200);
  expect(await readUsesLeft(shop, unlimitedCode)).toBeNull();
});

test.each([
  ['EnableWebTitleRedeem', ['title:book', 'credits:1', 'discount:5%'], 'title_codes_off'],
  ['EnableWebSubscriptionRedeem', ['plan:monthly', 'trial:monthly:7'], 'subscription_codes_off'],
])('a store without %s accepts no codes of its kinds', async (name, grantsOfCodes, expectedCode) => {
  const ownStore = await shop.store({ properties: { [name]: false } });
  await insertPlan(shop, ownStore);
  const buyer = await createCustomer(shop, ownStore);
  for (const grants of grantsOfCodes) {
    const code = await insertCode(shop, ownStore, { grants });
    expect(await lookUpCode(shop, { query: { shelfid: ownStore } }, code)).toMatchObject({
      status: 409,
      value: { Code: expectedCode },
    });
    const redemption = grants.startsWith('title') ? redeemTitle(shop, buyer, code) : redeemBenefit(shop, buyer, code);
    expect((await redemption).value.Code).toMatch(/_off$|misfit/);
    expect(await readUsesLeft(shop, code)).toBe(1);
  }
});

test('a look-up for a title or for a subscription refuses codes for anything else', async () => {
  const [discountCode, titleCode, planCode] = [
    await makeCode('discount:25%'),
    await makeCode('title:book'),
    await makeCode('plan:monthly'),
  ];
  expect((await lookUpCode(shop, makeVisitor(), discountCode, { titleid: 'book' })).value).toMatchObject({
    PercentOff: 25,
    AmountOff: 2.48,
  });
  expect((await lookUpCode(shop, makeVisitor(), titleCode, { titleid: 'book' })).status).toBe(200);
  expect((await lookUpCode(shop, makeVisitor(), planCode, { subscription: true })).status).toBe(200);
  for (const [code, query] of [
    [titleCode, { titleid: 'film' }],
    [planCode, { titleid: 'book' }],
    [titleCode, { subscription: true }],
  ] as const)
    expect(await lookUpCode(shop, makeVisitor(), code, query)).toMatchObject({ status: 409, value: { Code: 'code_misfit' } });
});

test('a code is accepted only by the call of its kind', async () => {
  const [titleCode, creditsCode, discountCode, trialCode] = [
    await makeCode('title:book'),
    await makeCode('credits:1'),
    await makeCode('discount:5%'),
    await makeCode('trial:monthly:7'),
  ];
  for (const response of [
    await redeemBenefit(shop, customer, titleCode),
    await redeemTitle(shop, customer, creditsCode),
    await redeemBenefit(shop, customer, discountCode),
    await redeemBenefit(shop, customer, trialCode),
  ])
    expect(response).toMatchObject({ status: 409, value: { Code: 'code_misfit' } });
  for (const code of [titleCode, creditsCode, discountCode, trialCode]) expect(await readUsesLeft(shop, code)).toBe(1);
});

test('a redeemed code is in its customer’s audit log and data; a visitor only sees that it is used', async () => {
  const code = await makeCode('title:book');
  await redeemTitle(shop, customer, code);
  const auditEntries = await shop.db.selectFrom('audit_log').select('kind').where('user_id', '=', customer.id).execute();
  expect(auditEntries.map(({ kind }) => kind)).toContain('code_redeemed');
  const { value } = await shop.call('userData', '/user/data', { query: customer.query });
  expect(value).toMatchObject({ codes: [{ code, redeemedAt: expect.any(String) as string }] });
  expect((await lookUpCode(shop, makeVisitor(), code)).value).toMatchObject({ Code: 'code_used' });
});

test('a code for a subscription stays unused for a customer with a running subscription', async () => {
  await insertSubscription(shop, customer);
  const code = await makeCode('plan:monthly');
  expect(await redeemBenefit(shop, customer, code)).toMatchObject({ status: 409, value: { Code: 'already_subscribed' } });
  expect(await readUsesLeft(shop, code)).toBe(1);
});
