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
  shop.call('plans', '/plans', { query: { shelfid }, headers });
const readPlan = (planId: string) => shop.call('planById', `/plans/${planId}`, { query: { shelfid: store } });

const monthlyPlan = {
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

test('a store’s plans are in the store’s order, with their prices and the credits of a renewal', async () => {
  const { status, value, text } = await readPlans();
  expect(status).toBe(200);
  expect(value).toEqual({
    Plan: [
      monthlyPlan,
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

test('a plan’s trial does not apply to a customer who has subscribed before', async () => {
  const customer = await createCustomer(shop, store);
  const readCustomerPlans = async () => (await shop.call('plans', '/plans', { query: customer.query })).value;
  expect(await readCustomerPlans()).toMatchObject({ Plan: [{ ...monthlyPlan, TrialApplies: true }, { TrialDays: 0 }] });
  await insertSubscription(shop, customer);
  expect(await readCustomerPlans()).toMatchObject({ Plan: [{ ...monthlyPlan, TrialApplies: false }, { TrialDays: 0 }] });
  const { value } = await shop.call('planById', '/plans/monthly', { query: customer.query });
  expect(value).toMatchObject({ TrialApplies: false });
});

test('the plans are in the requested language', async () => {
  const { value } = await readPlans({ 'accept-language': 'fr' });
  expect(value).toMatchObject({ Plan: [{ Name: 'Chaque mois', Description: '<p>Tous les titres</p>' }, { Name: 'A year' }] });
});

test('a plan is found by its id; plans of other stores and discontinued ones are not', async () => {
  expect((await readPlan('monthly')).value).toEqual(monthlyPlan);
  expect((await readPlan('none')).status).toBe(404);
  const otherStore = await shop.store({ plans: [{ ...(offeredPlans[0] as NewPlan), id: 'theirs' }] });
  expect((await readPlan('theirs')).status).toBe(404);
  await shop.db.updateTable('plans').set({ active: false }).where('store_id', '=', otherStore).execute();
  expect((await readPlans({}, otherStore)).value).toEqual({ Plan: [] });
});

test('a store without plans has an empty list', async () => {
  expect((await readPlans({}, await shop.store())).value).toEqual({ Plan: [] });
});
