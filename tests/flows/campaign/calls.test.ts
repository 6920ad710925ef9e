import { afterEach, expect, test, vi } from 'vitest';
import { createActor, toPromise, type PromiseActorLogic } from 'xstate';
import type { CampaignChange } from '../../../machines/browsing/campaign-setup.ts';
import type { CampaignLine } from '../../../machines/model/catalogue/campaign.ts';
import { fetchCampaignLines, fetchCampaign, removeCampaignTitles } from '../../../src/flows/campaign/calls.ts';
import { flow } from '../../../src/flows/campaign/ports.ts';
import { cart as createCart } from '../../../src/client/cart/cart.ts';
import { createShopEnvironment } from '../../support/client/shop-environment.ts';
import { config, catchRejection, createFakeServer, xml } from '../../support/client/fake-environment.ts';

afterEach(() => vi.unstubAllGlobals());

const titleXml = (id: string) =>
  `<Title><TitleId>${id}</TitleId><Name>Log</Name><TitleType>1</TitleType><Medium>epub</Medium></Title>`;
const campaignXml = (
  times = '',
) => `<Campaign><CampaignId>c1</CampaignId><Name>Spring</Name><Message>&lt;b&gt;2&lt;/b&gt;</Message><Buy>2</Buy><Pick>1</Pick>${times}
  <Offers><Offer><TitleId>t1</TitleId><Reward>false</Reward><Amount>7.5</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol></Offer>
  <Offer><TitleId>t2</TitleId><Reward>true</Reward></Offer></Offers><Titles>${titleXml('t1')}${titleXml('t2')}</Titles></Campaign>`;
const now = Date.parse('2026-06-01T00:00:00Z');

test('a campaign has a name, terms, a rule, titles and rewards', async () => {
  const { api, requests } = createFakeServer([xml(campaignXml())]);
  expect(await fetchCampaign(api, 'c1', undefined, now)).toMatchObject({
    id: 'c1',
    name: 'Spring',
    html: '<b>2</b>',
    state: 'running',
    buyCount: 2,
    rewardCount: 1,
    titles: [
      { title: { id: 't1' }, isReward: false, price: { amount: 7.5, currency: 'EUR', symbol: '€' } },
      { title: { id: 't2' }, isReward: true, price: null },
    ],
  });
  expect(requests[0]).toMatchObject({ path: '/api/campaign/titles', query: { campaignId: 'c1' } });
});

test.each([
  ['<EndsAt>2026-06-01T00:00:00Z</EndsAt>', 'over'],
  ['<EndsAt>2026-06-01T00:00:01Z</EndsAt>', 'running'],
  ['<StartsAt>2026-06-01T00:00:01Z</StartsAt>', 'notBegun'],
  ['<StartsAt>2026-06-01T00:00:00Z</StartsAt>', 'running'],
])('a campaign with %s is “%s”', async (times, state) => {
  expect((await fetchCampaign(createFakeServer([xml(campaignXml(times))]).api, 'c1', undefined, now)).state).toBe(state);
});

test('the end of a campaign is compared with the server’s clock, also if the device’s clock differs', async () => {
  const endsAtXml = `<EndsAt>${new Date(Date.now() + 60 * 60_000).toISOString()}</EndsAt>`;
  const fetchStateWithClockAhead = async (clockAhead: number) =>
    (await fetchCampaign(createFakeServer([xml(campaignXml(endsAtXml))], { config: { ...config, clockAhead } }).api, 'c1')).state;
  expect([await fetchStateWithClockAhead(0), await fetchStateWithClockAhead(2 * 60 * 60_000)]).toEqual(['running', 'over']);
});

test('a campaign without rules in the response has only its titles, and a missing name is empty', async () => {
  const bareCampaignXml = `<Campaign><Name>Bare</Name><Titles>${titleXml('t1')}</Titles></Campaign>`;
  expect(await fetchCampaign(createFakeServer([xml(bareCampaignXml)]).api, 'c1')).toMatchObject({
    html: '',
    state: 'running',
    rewardCount: 0,
    titles: [{ title: { id: 't1' }, isReward: false, price: null }],
  });
  expect(await fetchCampaign(createFakeServer([xml('<Campaign/>')]).api, 'c1')).toMatchObject({ name: '', titles: [] });
});

test.each(['', '..', '%00', 'a b', 'x'.repeat(10_000)])(
  'a campaign with a malformed name is not requested (%#)',
  async (name) => {
    const { api, requests } = createFakeServer([xml(campaignXml())]);
    expect(await catchRejection(fetchCampaign(api, name))).toMatchObject({ kind: 'refused', code: 'not_found' });
    expect(requests).toEqual([]);
  },
);

const forSaleXml = (id: string, fieldsXml = '<ForSale>true</ForSale>') =>
  titleXml(id).replace(
    '</Title>',
    `<TitlePrice>9.99</TitlePrice><Currency>USD</Currency><CurrencySymbol>$</CurrencySymbol>${fieldsXml}</Title>`,
  );
const cartXml = `<Cart><Count>3</Count><Titles>${forSaleXml('t1')}${forSaleXml('t2')}</Titles><Lines>
  <Line><TitleId>t1</TitleId><CampaignId>c1</CampaignId></Line><Line><TitleId>t2</TitleId><CampaignId>c1</CampaignId><Reward>true</Reward></Line>
  <Line><TitleId>t3</TitleId><CampaignId>c2</CampaignId></Line><Line><TitleId>t4</TitleId></Line></Lines></Cart>`;
const lines = [
  { titleId: 't1', isReward: false },
  { titleId: 't2', isReward: true },
];

test('only the lines of the cart that come from the campaign are returned', async () => {
  expect(await fetchCampaignLines(createFakeServer([xml(cartXml)]).api, 'c1')).toEqual(lines);
});

test('a line that is owned, not for sale or without a price is not paid for', async () => {
  const lineXml = (id: string, fieldsXml = '') => `<Line><TitleId>${id}</TitleId><CampaignId>c1</CampaignId>${fieldsXml}</Line>`;
  const titles = `${forSaleXml('t1')}${forSaleXml('t2', '<ForSale>false</ForSale>')}${titleXml('t3')}`;
  const unpaidCartXml = `<Cart><Titles>${titles}</Titles><Lines>${lineXml('t1', '<Owned>true</Owned>')}${lineXml('t2')}${lineXml('t3')}</Lines></Cart>`;
  const unpaidReasons = (await fetchCampaignLines(createFakeServer([xml(unpaidCartXml)]).api, 'c1')).map((line) => line.unpaid);
  expect(unpaidReasons).toEqual(['owned', 'notSold', 'notSold']);
});

test.each([
  ['<Currency>USD</Currency>', [undefined, 'notSold']],
  ['<Currency>EUR</Currency>', ['notSold', undefined]],
  // The server does not state the currency of its totals.
  ['', [undefined, undefined]],
])('of a cart with %s, only titles sold in its currency are paid for', async (currency, expectedReasons) => {
  const titles = `${forSaleXml('t1')}${forSaleXml('t2').replace('USD', 'EUR')}`;
  const lineXml = (id: string) => `<Line><TitleId>${id}</TitleId><CampaignId>c1</CampaignId></Line>`;
  const cartResponse = `<Cart>${currency}<Titles>${titles}</Titles><Lines>${lineXml('t1')}${lineXml('t2')}</Lines></Cart>`;
  expect((await fetchCampaignLines(createFakeServer([xml(cartResponse)]).api, 'c1')).map((line) => line.unpaid)).toEqual(
    expectedReasons,
  );
});

test('owned titles are removed by one request each', async () => {
  const { api, requests } = createFakeServer([xml(cartXml), xml(cartXml)]);
  expect(await removeCampaignTitles(api, 'c1', ['t5', 't6'])).toEqual(lines);
  expect(requests.map(({ path, query }) => [path, query['titleId']])).toEqual([
    ['/api/cart/removeCampaign', 't5'],
    ['/api/cart/removeCampaign', 't6'],
  ]);
});

test('adding and removing a title, or the whole campaign, emits a change of the cart', async () => {
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined);
  let changeCount = 0;
  const { api, requests } = createFakeServer([xml(cartXml), xml(cartXml), xml(cartXml)]);
  const shop = createShopEnvironment(() => api);
  const unsubscribe = shop.scoped(createCart).onChanged(() => {
    changeCount += 1;
  });
  const port = flow(shop).implementations.actors.changeLines as PromiseActorLogic<CampaignLine[], CampaignChange>;
  const change = (input: CampaignChange) => toPromise(createActor(port, { input }).start());
  expect(await change({ campaignId: 'c1', titleId: 't1', isAdded: true })).toEqual(lines);
  await change({ campaignId: 'c1', titleId: 't1', isAdded: false });
  await change({ campaignId: 'c1', titleId: null, isAdded: false });
  unsubscribe();
  expect(requests.map(({ path, query }) => [path, query['campaignId'], query['titleId']])).toEqual([
    ['/api/cart/add', 'c1', 't1'],
    ['/api/cart/removeCampaign', 'c1', 't1'],
    ['/api/cart/removeCampaign', 'c1', undefined],
  ]);
  expect(changeCount).toBe(3);
});
