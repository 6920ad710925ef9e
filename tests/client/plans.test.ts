import { expect, test } from 'vitest';
import { findPlans, fetchPlans } from '../../src/client/subscription/plans.ts';
import { html, environment, xml } from '../support/client/fake-environment.ts';

const signal = new AbortController().signal;
const monthly =
  '<Plan><PlanId>monthly</PlanId><Name>Monthly</Name><Description>&lt;p&gt;All&lt;/p&gt;</Description><Amount>4.90</Amount>' +
  '<Currency>USD</Currency><CurrencySymbol>$</CurrencySymbol><Interval>month</Interval><TrialDays>14</TrialDays><Credits>2</Credits></Plan>';
const plan = {
  id: 'monthly',
  name: 'Monthly',
  description: '<p>All</p>',
  price: { amount: 4.9, currency: 'USD', symbol: '$' },
  interval: 'month',
  trialDays: 14,
  credits: 2,
};

test('plans come in their order [S7.plans]', async () => {
  const { api, asked } = environment([xml(`<Plans>${monthly}${monthly.replaceAll('onthly', 'ore')}</Plans>`)]);
  expect((await fetchPlans(api, signal)).map(({ id }) => id)).toEqual(['monthly', 'more']);
  expect(asked).toMatchObject([{ path: '/api/plans' }]);
  expect(await fetchPlans(environment([xml('<Plans/>')]).api, signal)).toEqual([]);
});

test('one plan is read by its id; an id from the address cannot form another path [S7.plans/id]', async () => {
  const { api, asked } = environment([xml(monthly)]);
  expect(await findPlans(api, '../user?x=1', signal)).toEqual([plan]);
  expect(asked).toMatchObject([{ path: '/api/plans/..%2Fuser%3Fx%3D1' }]);
});

test.each([
  ['not there', () => xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status></Error>', 404)],
  ['refused', () => html('no', 403)],
  ['unreadable', () => xml('<Plan><Name>Nameless</Name></Plan>')],
])('a plan that is %s is left out, and reported [S8.plan]', async (_, answer) => {
  const { api, reported } = environment([answer]);
  expect(await findPlans(api, 'gone', signal)).toEqual([]);
  expect(reported).toMatchObject([['plans/id', {}]]);
});

test('plans of another server may lack most fields', async () => {
  const other = '<Plan><PlanId>7</PlanId><Amount>3</Amount><Interval>Year</Interval></Plan>';
  expect(await fetchPlans(environment([xml(`<Plans>${other}</Plans>`)]).api, signal)).toEqual([
    {
      id: '7',
      name: '',
      description: '',
      price: { amount: 3, currency: '', symbol: '' },
      interval: 'year',
      trialDays: 0,
      credits: 0,
    },
  ]);
});

test('whether a trial applies is read where the server says so', async () => {
  const said = (word: string) =>
    xml(`<Plans>${monthly.replace('</Plan>', `<TrialApplies>${word}</TrialApplies></Plan>`)}</Plans>`);
  for (const trialApplies of [true, false])
    expect(await fetchPlans(environment([said(String(trialApplies))]).api, signal)).toMatchObject([
      { trialDays: 14, trialApplies },
    ]);
  expect((await fetchPlans(environment([xml(`<Plans>${monthly}</Plans>`)]).api, signal))[0]?.trialApplies).toBeUndefined();
});

test('a plan has its included titles, as far as they can be read', async () => {
  const opens = '<OpensTitles>2</OpensTitles><Titles><Title><TitleId>t1</TitleId><Name>Log</Name></Title><Title/></Titles>';
  const wire = xml(`<Plans>${monthly.replace('</Plan>', `${opens}</Plan>`)}</Plans>`);
  const [read] = await fetchPlans(environment([wire]).api, signal);
  expect(read).toMatchObject({ opensTitles: 2, titles: [{ id: 't1', name: 'Log' }] });
});

test.each([
  ['monthly', 'month'],
  ['Years', 'year'],
  ['annual', 'year'],
  ['every fortnight', null],
  ['', null],
])('a plan that is paid %j has the interval %j, and does not fail the list', async (said, interval) => {
  const { api } = environment([xml(`<Plans>${monthly.replace('<Interval>month', `<Interval>${said}`)}</Plans>`)]);
  expect(await fetchPlans(api, signal)).toEqual([{ ...plan, interval }]);
});

test('an unreadable plan is left out of the list, and reported', async () => {
  const { api, reported } = environment([
    xml(`<Plans>${monthly.replace('<Amount>4.90</Amount>', '<Amount>x</Amount>')}${monthly}</Plans>`),
  ]);
  expect((await fetchPlans(api, signal)).map(({ id }) => id)).toEqual(['monthly']);
  expect(reported).toMatchObject([['plans', { kind: 'malformed', field: 'plans.0.price.amount' }]]);
});

test('a plan’s amount may be formatted for people', async () => {
  const { api } = environment([
    xml('<Plans><Plan><PlanId>gold</PlanId><Amount>4,90 €</Amount><Currency>EUR</Currency></Plan></Plans>'),
  ]);
  expect(await fetchPlans(api, signal)).toMatchObject([{ price: { amount: 4.9 } }]);
});

test('a plan without an amount is offered without one', async () => {
  const { api } = environment([xml('<Plans><Plan><PlanId>gold</PlanId><Name>Gold</Name></Plan></Plans>')]);
  expect(await fetchPlans(api, signal)).toMatchObject([{ id: 'gold', price: null }]);
});
