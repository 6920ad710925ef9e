import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewCampaign } from '../../../server/setup/save-campaign.ts';
import { add, authorizedCart, beginCart, type Cart, cartCall, fill, idsIn } from '../support/carts.ts';
import { type Customer, customerOf } from '../support/customers.ts';
import { chargesOf, confirm, holdings, type Session } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);
const spring: NewCampaign = {
  id: 'spring',
  name: 'Spring',
  html: '<p>Buy two, choose one.</p>',
  endsAt: inDays(7),
  buy: 2,
  pick: 1,
  titles: [{ id: 'book', amount: 7.5, currency: 'EUR' }, { id: 'sound' }],
  rewards: ['film', 'gratis', 'hidden'],
};
const others: NewCampaign[] = [
  { id: 'past', name: 'Past', html: '', endsAt: inDays(-1), titles: [{ id: 'book', amount: 1, currency: 'EUR' }] },
  { id: 'future', name: 'Future', html: '', startsAt: inDays(1), titles: [{ id: 'book', amount: 1, currency: 'EUR' }] },
];

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  store = await shop.store({ campaigns: [spring, ...others] });
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

const from = (titleId: string, campaignId = 'spring') => add(shop, customer, titleId, { campaignId });
const cart = async (): Promise<Cart> => (await cartCall(shop, customer, 'cartTitles')).value;
const rewardsOf = ({ Lines = [] }: Cart) =>
  (Lines as { TitleId: string; Reward?: boolean }[]).filter(({ Reward }) => Reward === true).map(({ TitleId }) => TitleId);
const end = () =>
  shop.db
    .updateTable('campaigns')
    .set({ ends_at: inDays(-1) })
    .where('store_id', '=', store)
    .where('id', '=', 'spring')
    .execute();

test('what is put into the cart from a campaign has its price there, and no other [S7.cart/add]', async () => {
  await fill(shop, customer, ['book']);
  expect((await cart()).Total).toBe(9.9);
  const { value } = await from('book');
  expect(value).toMatchObject({ Total: 7.5, Currency: 'EUR', Lines: [{ TitleId: 'book', CampaignId: 'spring' }] });
  expect((await cart()).Titles).toMatchObject([{ Prices: [{ Amount: 7.5 }, { Amount: 1500, Currency: 'JPY' }] }]);
  await end();
  expect(await cart()).toMatchObject({ Total: 9.9 });
});

test('a reward is chosen once enough is bought, and costs nothing as long as that stays', async () => {
  expect((await from('film')).value).toMatchObject({ Code: 'reward_not_reached' });
  await from('book');
  expect((await from('film')).value).toMatchObject({ Code: 'reward_not_reached' });
  await from('sound');
  const reached = (await from('film')).value;
  expect([reached.Total, rewardsOf(reached)]).toEqual([19.5, ['film']]);
  expect((await from('film')).status).toBe(200);
  expect((await from('hidden')).status).toBe(404);
  await cartCall(shop, customer, 'removeFromCart', { titleId: 'sound' });
  const fewer = await cart();
  expect(rewardsOf(fewer)).toEqual([]);
  expect(fewer.Total).toBeGreaterThan(7.5);
});

const soldIn = (titleId: string, currency: string) =>
  shop.db.updateTable('prices').set({ currency }).where('store_id', '=', store).where('title_id', '=', titleId).execute();

test('a title that is not sold in the cart’s currency earns no reward, in either order of adding', async () => {
  await soldIn('sound', 'USD');
  for (const titleIds of [
    ['book', 'sound'],
    ['sound', 'book'],
  ]) {
    for (const titleId of titleIds) await from(titleId);
    expect(await from('film')).toMatchObject({ status: 409, value: { Code: 'reward_not_reached' } });
    await cartCall(shop, customer, 'removeCampaign', { campaignId: 'spring' });
  }
});

test('a reward that is sold in another currency leaves the cart in its own, and costs nothing', async () => {
  await soldIn('film', 'USD');
  for (const titleId of ['book', 'sound']) await from(titleId);
  const { value } = await from('film');
  expect([value.Total, value.Currency, rewardsOf(value)]).toEqual([19.5, 'EUR', ['film']]);
  const shown = { titleids: 'book,sound,film', price: 19.5, currency: 'EUR' };
  expect((await beginCart(shop, customer, shown)).status).toBe(200);
});

test('no more rewards than the campaign gives, those that were chosen first', async () => {
  for (const titleId of ['book', 'sound', 'film']) await from(titleId);
  await shop.db.updateTable('titles').set({ listed: true }).where('store_id', '=', store).where('id', '=', 'hidden').execute();
  expect((await from('hidden')).value).toMatchObject({ Code: 'rewards_taken' });
  expect(rewardsOf(await cart())).toEqual(['film']);
});

test.each([
  ['past', 'campaign_over'],
  ['future', 'campaign_not_begun'],
])('from the campaign %s nothing is taken', async (campaignId, code) => {
  expect((await from('book', campaignId)).value).toMatchObject({ Code: code });
  expect(idsIn(await cart())).toEqual([]);
});

test.each(['none', 'spring'])('what is none of a campaign (%s) is not found', async (campaignId) => {
  expect((await from('not-for-sale', campaignId)).status).toBe(404);
});

describe('paying', () => {
  beforeEach(async () => {
    for (const titleId of ['book', 'sound', 'film']) await from(titleId);
  });

  test('charges what was bought at the campaign’s price, once, and gives the reward', async () => {
    const { transId } = await authorizedCart(shop, customer);
    const [first, again] = await Promise.all([confirm(shop, customer, transId), confirm(shop, customer, transId)]);
    expect([first?.status, again?.status]).toEqual([200, 200]);
    expect(await chargesOf(shop, transId)).toBe(1);
    for (const titleId of ['book', 'sound', 'film'])
      expect(await holdings(shop, customer, titleId)).toMatchObject({ purchases: 1, copies: 1 });
    const receipt = await shop.ask('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
    expect(receipt.value).toMatchObject({ amount: 19.5, currency: 'EUR' });
    expect((receipt.value as { titles: object[] }).titles).toContainEqual(
      expect.objectContaining({ titleId: 'film', amount: 0 }),
    );
    expect(idsIn(await cart())).toEqual([]);
  });

  test('says so before anything is charged where the campaign has ended meanwhile', async () => {
    const shown = { titleids: 'book,sound,film', price: 19.5, currency: 'EUR' };
    const { transId } = (await beginCart(shop, customer, shown)).value as Session;
    await end();
    expect((await beginCart(shop, customer, shown)).value).toMatchObject({ status: 409, code: 'price_changed' });
    expect(await chargesOf(shop, transId)).toBe(0);
  });

  test('a reward that is shown is part of what is paid for, and one that is not is none', async () => {
    expect((await beginCart(shop, customer, { titleids: 'book,sound', price: 19.5, currency: 'EUR' })).value).toMatchObject({
      code: 'price_changed',
    });
    expect((await beginCart(shop, customer, { titleids: 'film,book,sound', price: 19.5, currency: 'EUR' })).status).toBe(200);
  });
});

test('all that came from a campaign leaves the cart at once [S7.cart/removeCampaign]', async () => {
  for (const titleId of ['book', 'sound', 'film']) await from(titleId);
  await fill(shop, customer, ['gratis']);
  expect(idsIn((await cartCall(shop, customer, 'removeCampaign', { campaignId: 'spring' })).value)).toEqual(['gratis']);
});

test('a campaign says what it asks for and gives, and until when [S7.campaign/titles]', async () => {
  const { value } = await shop.ask('campaignTitles', '/campaign/titles', { query: { ...customer.query, campaignId: 'spring' } });
  expect(value).toMatchObject({
    Buy: 2,
    Pick: 1,
    EndsAt: spring.endsAt?.toISOString(),
    Offers: [
      { TitleId: 'book', Reward: false, Amount: 7.5, Currency: 'EUR', CurrencySymbol: '€' },
      { TitleId: 'sound', Reward: false },
      { TitleId: 'film', Reward: true },
      { TitleId: 'gratis', Reward: true },
      { TitleId: 'hidden', Reward: true },
    ],
  });
});
