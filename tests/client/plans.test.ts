import { expect, test } from 'vitest';
import { findPlans, fetchPlans } from '../../src/client/subscription/plans.ts';
import { html, createFakeServer, xml } from '../support/client/fake-environment.ts';

const signal = new AbortController().signal;
const monthlyXml =
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

test('plans keep the order of the server [S7.plans]', async () => {
  const { api, requests } = createFakeServer([xml(`<Plans>${monthlyXml}${monthlyXml.replaceAll('onthly', 'ore')}</Plans>`)]);
  expect((await fetchPlans(api, signal)).map(({ id }) => id)).toEqual(['monthly', 'more']);
  expect(requests).toMatchObject([{ path: '/api/plans' }]);
  expect(await fetchPlans(createFakeServer([xml('<Plans/>')]).api, signal)).toEqual([]);
});

test('one plan is read by its id; an id from the URL cannot form another path [S7.plans/id]', async () => {
  const { api, requests } = createFakeServer([xml(monthlyXml)]);
  expect(await findPlans(api, '../user?x=1', signal)).toEqual([plan]);
  expect(requests).toMatchObject([{ path: '/api/plans/..%2Fuser%3Fx%3D1' }]);
});

test.each([
  ['missing', () => xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status></Error>', 404)],
  ['refused', () => html('no', 403)],
  ['unreadable', () => xml('<Plan><Name>Nameless</Name></Plan>')],
])('a plan that is %s is left out, and reported [S8.plan]', async (_, answer) => {
  const { api, reportedProblems } = createFakeServer([answer]);
  expect(await findPlans(api, 'gone', signal)).toEqual([]);
  expect(reportedProblems).toMatchObject([['plans/id', {}]]);
});

test('plans of another server may lack most fields', async () => {
  const planXml = '<Plan><PlanId>7</PlanId><Amount>3</Amount><Interval>Year</Interval></Plan>';
  expect(await fetchPlans(createFakeServer([xml(`<Plans>${planXml}</Plans>`)]).api, signal)).toEqual([
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

test('`trialApplies` is undefined unless the server sends it', async () => {
  const formatPlansWithTrial = (word: string) =>
    xml(`<Plans>${monthlyXml.replace('</Plan>', `<TrialApplies>${word}</TrialApplies></Plan>`)}</Plans>`);
  for (const trialApplies of [true, false])
    expect(await fetchPlans(createFakeServer([formatPlansWithTrial(String(trialApplies))]).api, signal)).toMatchObject([
      { trialDays: 14, trialApplies },
    ]);
  expect(
    (await fetchPlans(createFakeServer([xml(`<Plans>${monthlyXml}</Plans>`)]).api, signal))[0]?.trialApplies,
  ).toBeUndefined();
});

test('a plan has the readable ones of its included titles', async () => {
  const includedTitlesXml =
    '<OpensTitles>2</OpensTitles><Titles><Title><TitleId>t1</TitleId><Name>Log</Name></Title><Title/></Titles>';
  const response = xml(`<Plans>${monthlyXml.replace('</Plan>', `${includedTitlesXml}</Plan>`)}</Plans>`);
  const [planWithTitles] = await fetchPlans(createFakeServer([response]).api, signal);
  expect(planWithTitles).toMatchObject({ opensTitles: 2, titles: [{ id: 't1', name: 'Log' }] });
});

test.each([
  ['monthly', 'month'],
  ['Years', 'year'],
  ['annual', 'year'],
  ['every fortnight', null],
  ['', null],
])('a plan with the interval %j is read with the interval %j', async (wireInterval, interval) => {
  const { api } = createFakeServer([xml(`<Plans>${monthlyXml.replace('<Interval>month', `<Interval>${wireInterval}`)}</Plans>`)]);
  expect(await fetchPlans(api, signal)).toEqual([{ ...plan, interval }]);
});

test('an unreadable plan is left out of the list, and reported', async () => {
  const { api, reportedProblems } = createFakeServer([
    xml(`<Plans>${monthlyXml.replace('<Amount>4.90</Amount>', '<Amount>x</Amount>')}${monthlyXml}</Plans>`),
  ]);
  expect((await fetchPlans(api, signal)).map(({ id }) => id)).toEqual(['monthly']);
  expect(reportedProblems).toMatchObject([['plans', { kind: 'malformed', field: 'plans.0.price.amount' }]]);
});

test('a plan’s amount may be formatted for people', async () => {
  const { api } = createFakeServer([
    xml('<Plans><Plan><PlanId>gold</PlanId><Amount>4,90 €</Amount><Currency>EUR</Currency></Plan></Plans>'),
  ]);
  expect(await fetchPlans(api, signal)).toMatchObject([{ price: { amount: 4.9 } }]);
});

test('a plan without an amount has no price', async () => {
  const { api } = createFakeServer([xml('<Plans><Plan><PlanId>gold</PlanId><Name>Gold</Name></Plan></Plans>')]);
  expect(await fetchPlans(api, signal)).toMatchObject([{ id: 'gold', price: null }]);
});
