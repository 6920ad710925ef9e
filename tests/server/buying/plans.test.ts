import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewPlan } from '../../../server/setup/save-plan.ts';
import { openShop, type Shop } from '../support/shop.ts';

const offered: NewPlan[] = [
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
  store = await shop.store({ plans: offered });
});
afterAll(() => shop.close());

const all = (headers: Record<string, string> = {}, shelfid = store) =>
  shop.ask('plans', '/plans', { query: { shelfid }, headers });
const one = (planId: string) => shop.ask('planById', `/plans/${planId}`, { query: { shelfid: store } });

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

test('the plans of a store come in its order, with their prices and what renewals bring', async () => {
  const { status, value, text } = await all();
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

test('in the language that is asked for', async () => {
  const { value } = await all({ 'accept-language': 'fr' });
  expect(value).toMatchObject({ Plan: [{ Name: 'Chaque mois', Description: '<p>Tous les titres</p>' }, { Name: 'A year' }] });
});

test('one plan by its id; none that another store has, or that is no longer offered', async () => {
  expect((await one('monthly')).value).toEqual(monthly);
  expect((await one('none')).status).toBe(404);
  const elsewhere = await shop.store({ plans: [{ ...(offered[0] as NewPlan), id: 'theirs' }] });
  expect((await one('theirs')).status).toBe(404);
  await shop.db.updateTable('plans').set({ active: false }).where('store_id', '=', elsewhere).execute();
  expect((await all({}, elsewhere)).value).toEqual({ Plan: [] });
});

test('a store without plans offers none', async () => {
  expect((await all({}, await shop.store())).value).toEqual({ Plan: [] });
});
