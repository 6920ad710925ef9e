import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewPlan } from '../../../server/setup/save-plan.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { insertSubscription } from '../support/subscriptions.ts';

const offeredPlans: NewPlan[] = [
  {
    id: 'monthly',
    name: { en: 'Monthly <all>', fr: 'Chaque mois' },
    description: { en: '<p>All titles</p>', fr: '<p>Tous les titres</p>' },
    price: { amount: 9.9, currency: 'EUR' },
    period: 'month',
    trialDays: 14,
  },
  { id: 'a-year', name: 'A year', price: { amount: 1000, currency: 'JPY' }, period: 'year', credits: 0 },
];

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({ plans: offeredPlans });
});
afterAll(() => shop.close());

const readPlans = (headers: Record<string, string> = {}, shelfid = store) =>
  shop.ask('plans', '/plans', { query: { shelfid }, headers });
const readPlan = (planId: string) => shop.ask('planById', `/plans/${planId}`, { query: { shelfid: store } });

const monthly = {
  PlanId: 'monthly',
  Name: 'Monthly <all>',
  Description: '<p>All titles</p>',
  Amount: 9.9,
  Currency: 'EUR',
  CurrencySymbol: '€',
  Interval: 'month',
  TrialDays: 14,
  Credits: 2,
};

test('the plans of a store are in its order, with their prices and the credits of renewals', async () => {
  const { status, value, text } = await readPlans();
  expect(status).toBe(200);
  expect(value).toEqual({
    Plan: [
      monthly,
      {
        PlanId: 'a-year',
        Name: 'A year',
        Amount: 1000,
        Currency: 'JPY',
        CurrencySymbol: '¥',
        Interval: 'year',
        TrialDays: 0,
        Credits: 0,
      },
    ],
  });
  expect(text).toContain('<Amount>9.90</Amount>');
});

test('a plan says whether its trial applies to the customer: not after another subscription', async () => {
  const customer = await createCustomer(shop, store);
  const told = async () => (await shop.ask('plans', '/plans', { query: customer.query })).value;
  expect(await told()).toMatchObject({ Plan: [{ ...monthly, TrialApplies: true }, { TrialDays: 0 }] });
  await insertSubscription(shop, customer);
  expect(await told()).toMatchObject({ Plan: [{ ...monthly, TrialApplies: false }, { TrialDays: 0 }] });
  const { value } = await shop.ask('planById', '/plans/monthly', { query: customer.query });
  expect(value).toMatchObject({ TrialApplies: false });
});

test('the plans are in the requested language', async () => {
  const { value } = await readPlans({ 'accept-language': 'fr' });
  expect(value).toMatchObject({ Plan: [{ Name: 'Chaque mois', Description: '<p>Tous les titres</p>' }, { Name: 'A year' }] });
});

test('a plan is found by its id; plans of other stores and discontinued ones are not', async () => {
  expect((await readPlan('monthly')).value).toEqual(monthly);
  expect((await readPlan('none')).status).toBe(404);
  const elsewhere = await shop.store({ plans: [{ ...(offeredPlans[0] as NewPlan), id: 'theirs' }] });
  expect((await readPlan('theirs')).status).toBe(404);
  await shop.db.updateTable('plans').set({ active: false }).where('store_id', '=', elsewhere).execute();
  expect((await readPlans({}, elsewhere)).value).toEqual({ Plan: [] });
});

test('a store without plans has an empty list', async () => {
  expect((await readPlans({}, await shop.store())).value).toEqual({ Plan: [] });
});
