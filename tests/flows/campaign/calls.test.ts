import { afterEach, expect, test, vi } from 'vitest';
import { createActor, toPromise, type PromiseActorLogic } from 'xstate';
import type { CampaignChange } from '../../../machines/browsing/campaign-setup.ts';
import type { CampaignLine } from '../../../machines/model/catalogue/campaign.ts';
import { fetchCampaignLines, fetchCampaign, removeCampaignTitles } from '../../../src/flows/campaign/calls.ts';
import { flow } from '../../../src/flows/campaign/ports.ts';
import { cart as cartOf } from '../../../src/client/cart/cart.ts';
import { createShopEnvironment } from '../../support/client/shop-environment.ts';
import { config, catchRejection, environment, xml } from '../../support/client/fake-environment.ts';

afterEach(() => vi.unstubAllGlobals());

const title = (id: string) =>
  `<Title><TitleId>${id}</TitleId><Name>Log</Name><TitleType>1</TitleType><Medium>epub</Medium></Title>`;
const campaignXml = (
  times = '',
) => `<Campaign><CampaignId>c1</CampaignId><Name>Spring</Name><Message>&lt;b&gt;2&lt;/b&gt;</Message><Buy>2</Buy><Pick>1</Pick>${times}
  <Offers><Offer><TitleId>t1</TitleId><Reward>false</Reward><Amount>7.5</Amount><Currency>EUR</Currency><CurrencySymbol>€</CurrencySymbol></Offer>
  <Offer><TitleId>t2</TitleId><Reward>true</Reward></Offer></Offers><Titles>${title('t1')}${title('t2')}</Titles></Campaign>`;
const now = Date.parse('2026-06-01T00:00:00Z');

test('a campaign has a name, terms, a rule, titles and rewards', async () => {
  const { api, asked } = environment([xml(campaignXml())]);
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
  expect(asked[0]).toMatchObject({ path: '/api/campaign/titles', query: { campaignId: 'c1' } });
});

test.each([
  ['<EndsAt>2026-06-01T00:00:00Z</EndsAt>', 'over'],
  ['<EndsAt>2026-06-01T00:00:01Z</EndsAt>', 'running'],
  ['<StartsAt>2026-06-01T00:00:01Z</StartsAt>', 'notBegun'],
  ['<StartsAt>2026-06-01T00:00:00Z</StartsAt>', 'running'],
])('%s: it is %s', async (times, state) => {
  expect((await fetchCampaign(environment([xml(campaignXml(times))]).api, 'c1', undefined, now)).state).toBe(state);
});

test('a server with a shifted clock decides by its own time', async () => {
  const ends = `<EndsAt>${new Date(Date.now() + 60 * 60_000).toISOString()}</EndsAt>`;
  const stateAhead = async (clockAhead: number) =>
    (await fetchCampaign(environment([xml(campaignXml(ends))], { config: { ...config, clockAhead } }).api, 'c1')).state;
  expect([await stateAhead(0), await stateAhead(2 * 60 * 60_000)]).toEqual(['running', 'over']);
});

test('a campaign of a server without rules has only titles, and perhaps no name', async () => {
  const bare = `<Campaign><Name>Bare</Name><Titles>${title('t1')}</Titles></Campaign>`;
  expect(await fetchCampaign(environment([xml(bare)]).api, 'c1')).toMatchObject({
    html: '',
    state: 'running',
    rewardCount: 0,
    titles: [{ title: { id: 't1' }, isReward: false, price: null }],
  });
  expect(await fetchCampaign(environment([xml('<Campaign/>')]).api, 'c1')).toMatchObject({ name: '', titles: [] });
});

test.each(['', '..', '%00', 'a b', 'x'.repeat(10_000)])('a malformed name is not requested: %.20j', async (name) => {
  const { api, asked } = environment([xml(campaignXml())]);
  expect(await catchRejection(fetchCampaign(api, name))).toMatchObject({ kind: 'refused', code: 'not_found' });
  expect(asked).toEqual([]);
});

const forSaleXml = (id: string, more = '<ForSale>true</ForSale>') =>
  title(id).replace(
    '</Title>',
    `<TitlePrice>9.99</TitlePrice><Currency>USD</Currency><CurrencySymbol>$</CurrencySymbol>${more}</Title>`,
  );
const cart = `<Cart><Count>3</Count><Titles>${forSaleXml('t1')}${forSaleXml('t2')}</Titles><Lines>
  <Line><TitleId>t1</TitleId><CampaignId>c1</CampaignId></Line><Line><TitleId>t2</TitleId><CampaignId>c1</CampaignId><Reward>true</Reward></Line>
  <Line><TitleId>t3</TitleId><CampaignId>c2</CampaignId></Line><Line><TitleId>t4</TitleId></Line></Lines></Cart>`;
const lines = [
  { titleId: 't1', isReward: false },
  { titleId: 't2', isReward: true },
];

test('lines of the cart that come from the campaign', async () => {
  expect(await fetchCampaignLines(environment([xml(cart)]).api, 'c1')).toEqual(lines);
});

test('a line that is owned, not for sale or without a price is not paid for', async () => {
  const line = (id: string, more = '') => `<Line><TitleId>${id}</TitleId><CampaignId>c1</CampaignId>${more}</Line>`;
  const titles = `${forSaleXml('t1')}${forSaleXml('t2', '<ForSale>false</ForSale>')}${title('t3')}`;
  const wireOf = `<Cart><Titles>${titles}</Titles><Lines>${line('t1', '<Owned>true</Owned>')}${line('t2')}${line('t3')}</Lines></Cart>`;
  const unpaid = (await fetchCampaignLines(environment([xml(wireOf)]).api, 'c1')).map((each) => each.unpaid);
  expect(unpaid).toEqual(['owned', 'notSold', 'notSold']);
});

test.each([
  ['<Currency>USD</Currency>', [undefined, 'notSold']],
  ['<Currency>EUR</Currency>', ['notSold', undefined]],
  // A server that does not say which currency its totals are in.
  ['', [undefined, undefined]],
])('of a cart in %s only titles sold in it are paid for', async (currency, unpaid) => {
  const titles = `${forSaleXml('t1')}${forSaleXml('t2').replace('USD', 'EUR')}`;
  const line = (id: string) => `<Line><TitleId>${id}</TitleId><CampaignId>c1</CampaignId></Line>`;
  const answer = `<Cart>${currency}<Titles>${titles}</Titles><Lines>${line('t1')}${line('t2')}</Lines></Cart>`;
  expect((await fetchCampaignLines(environment([xml(answer)]).api, 'c1')).map((each) => each.unpaid)).toEqual(unpaid);
});

test('owned titles are removed one by one', async () => {
  const { api, asked } = environment([xml(cart), xml(cart)]);
  expect(await removeCampaignTitles(api, 'c1', ['t5', 't6'])).toEqual(lines);
  expect(asked.map(({ path, query }) => [path, query['titleId']])).toEqual([
    ['/api/cart/removeCampaign', 't5'],
    ['/api/cart/removeCampaign', 't6'],
  ]);
});

test('adding and removing a title, or the whole campaign, emits a change of the cart', async () => {
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined);
  let heard = 0;
  const { api, asked } = environment([xml(cart), xml(cart), xml(cart)]);
  const shop = createShopEnvironment(() => api);
  const stop = shop.scoped(cartOf).onChanged(() => {
    heard += 1;
  });
  const port = flow(shop).implementations.actors.changeLines as PromiseActorLogic<CampaignLine[], CampaignChange>;
  const change = (input: CampaignChange) => toPromise(createActor(port, { input }).start());
  expect(await change({ campaignId: 'c1', titleId: 't1', isAdded: true })).toEqual(lines);
  await change({ campaignId: 'c1', titleId: 't1', isAdded: false });
  await change({ campaignId: 'c1', titleId: null, isAdded: false });
  stop();
  expect(asked.map(({ path, query }) => [path, query['campaignId'], query['titleId']])).toEqual([
    ['/api/cart/add', 'c1', 't1'],
    ['/api/cart/removeCampaign', 'c1', 't1'],
    ['/api/cart/removeCampaign', 'c1', undefined],
  ]);
  expect(heard).toBe(3);
});
