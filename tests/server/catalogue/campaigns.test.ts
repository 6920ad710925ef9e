import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewCampaign } from '../../../server/setup/save-campaign.ts';
import { addTitle, authorizeCart, startCartSession, type Cart, callCart, fillCart, listTitleIds } from '../support/carts.ts';
import { type Customer, createCustomer } from '../support/customers.ts';
import { countCharges, confirmPayment, countHoldings, type Session } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

const DAY_MS = 86_400_000;
const dateInDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const springCampaign: NewCampaign = {
  id: 'spring',
  name: 'Spring',
  html: '<p>Buy two, choose one.</p>',
  endsAt: dateInDays(7),
  buy: 2,
  pick: 1,
  titles: [{ id: 'book', amount: 7.5, currency: 'EUR' }, { id: 'sound' }],
  rewards: ['film', 'gratis', 'hidden'],
};
const otherCampaigns: NewCampaign[] = [
  { id: 'past', name: 'Past', html: '', endsAt: dateInDays(-1), titles: [{ id: 'book', amount: 1, currency: 'EUR' }] },
  { id: 'future', name: 'Future', html: '', startsAt: dateInDays(1), titles: [{ id: 'book', amount: 1, currency: 'EUR' }] },
];

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
});
beforeEach(async () => {
  store = await shop.store({ campaigns: [springCampaign, ...otherCampaigns] });
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

const addFromCampaign = (titleId: string, campaignId = 'spring') => addTitle(shop, customer, titleId, { campaignId });
const readCart = async (): Promise<Cart> => (await callCart(shop, customer, 'cartTitles')).value;
const findRewards = ({ Lines = [] }: Cart) =>
  (Lines as { TitleId: string; Reward?: boolean }[]).filter(({ Reward }) => Reward === true).map(({ TitleId }) => TitleId);
const endCampaign = () =>
  shop.db
    .updateTable('campaigns')
    .set({ ends_at: dateInDays(-1) })
    .where('store_id', '=', store)
    .where('id', '=', 'spring')
    .execute();

test('a title in the cart has the campaign’s price only if it was added from a running campaign [S7.cart/add]', async () => {
  await fillCart(shop, customer, ['book']);
  expect((await readCart()).Total).toBe(9.9);
  const { value } = await addFromCampaign('book');
  expect(value).toMatchObject({ Total: 7.5, Currency: 'EUR', Lines: [{ TitleId: 'book', CampaignId: 'spring' }] });
  expect((await readCart()).Titles).toMatchObject([{ Prices: [{ Amount: 7.5 }, { Amount: 1500, Currency: 'JPY' }] }]);
  await endCampaign();
  expect(await readCart()).toMatchObject({ Total: 9.9 });
});

test('a reward is in the cart, and free, only while the cart has enough titles of its campaign', async () => {
  expect((await addFromCampaign('film')).value).toMatchObject({ Code: 'reward_not_reached' });
  await addFromCampaign('book');
  expect((await addFromCampaign('film')).value).toMatchObject({ Code: 'reward_not_reached' });
  await addFromCampaign('sound');
  const cartWithReward = (await addFromCampaign('film')).value;
  expect([cartWithReward.Total, findRewards(cartWithReward)]).toEqual([19.5, ['film']]);
  expect((await addFromCampaign('film')).status).toBe(200);
  expect((await addFromCampaign('hidden')).status).toBe(404);
  await callCart(shop, customer, 'removeFromCart', { titleId: 'sound' });
  const cartWithoutReward = await readCart();
  expect(findRewards(cartWithoutReward)).toEqual([]);
  expect(cartWithoutReward.Total).toBeGreaterThan(7.5);
});

const setCurrency = (titleId: string, currency: string) =>
  shop.db.updateTable('prices').set({ currency }).where('store_id', '=', store).where('title_id', '=', titleId).execute();

test('a title without a price in the cart’s currency does not count for a reward, in either order of adding', async () => {
  await setCurrency('sound', 'USD');
  for (const titleIds of [
    ['book', 'sound'],
    ['sound', 'book'],
  ]) {
    for (const titleId of titleIds) await addFromCampaign(titleId);
    expect(await addFromCampaign('film')).toMatchObject({ status: 409, value: { Code: 'reward_not_reached' } });
    await callCart(shop, customer, 'removeCampaign', { campaignId: 'spring' });
  }
});

test('a reward sold in another currency does not change the cart’s currency, and is free', async () => {
  await setCurrency('film', 'USD');
  for (const titleId of ['book', 'sound']) await addFromCampaign(titleId);
  const { value } = await addFromCampaign('film');
  expect([value.Total, value.Currency, findRewards(value)]).toEqual([19.5, 'EUR', ['film']]);
  const shownCart = { titleids: 'book,sound,film', price: 19.5, currency: 'EUR' };
  expect((await startCartSession(shop, customer, shownCart)).status).toBe(200);
});

test('a reward beyond the number that the campaign allows is refused', async () => {
  for (const titleId of ['book', 'sound', 'film']) await addFromCampaign(titleId);
  await shop.db.updateTable('titles').set({ listed: true }).where('store_id', '=', store).where('id', '=', 'hidden').execute();
  expect((await addFromCampaign('hidden')).value).toMatchObject({ Code: 'rewards_taken' });
  expect(findRewards(await readCart())).toEqual(['film']);
});

test.each([
  ['past', 'campaign_over'],
  ['future', 'campaign_not_begun'],
])('no title can be added from the %s campaign', async (campaignId, code) => {
  expect((await addFromCampaign('book', campaignId)).value).toMatchObject({ Code: code });
  expect(listTitleIds(await readCart())).toEqual([]);
});

test.each(['none', 'spring'])('a title that the campaign “%s” does not have is not found', async (campaignId) => {
  expect((await addFromCampaign('not-for-sale', campaignId)).status).toBe(404);
});

describe('paying for a campaign’s cart', () => {
  beforeEach(async () => {
    for (const titleId of ['book', 'sound', 'film']) await addFromCampaign(titleId);
  });

  test('a cart with a campaign is charged once, at the campaign’s price, and grants the reward', async () => {
    const { transId } = await authorizeCart(shop, customer);
    const [first, second] = await Promise.all([confirmPayment(shop, customer, transId), confirmPayment(shop, customer, transId)]);
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(await countCharges(shop, transId)).toBe(1);
    for (const titleId of ['book', 'sound', 'film'])
      expect(await countHoldings(shop, customer, titleId)).toMatchObject({ purchases: 1, copies: 1 });
    const receipt = await shop.call('purchaseInfo', '/purchase/info', { query: { ...customer.query, transId } });
    expect(receipt.value).toMatchObject({ amount: 19.5, currency: 'EUR' });
    expect((receipt.value as { titles: object[] }).titles).toContainEqual(
      expect.objectContaining({ titleId: 'film', amount: 0 }),
    );
    expect(listTitleIds(await readCart())).toEqual([]);
  });

  test('a cart is refused before the charge if its campaign has ended since the summary', async () => {
    const shownCart = { titleids: 'book,sound,film', price: 19.5, currency: 'EUR' };
    const { transId } = (await startCartSession(shop, customer, shownCart)).value as Session;
    await endCampaign();
    expect((await startCartSession(shop, customer, shownCart)).value).toMatchObject({ status: 409, code: 'price_changed' });
    expect(await countCharges(shop, transId)).toBe(0);
  });

  test('a payment for a list of titles without the cart’s reward is refused', async () => {
    expect(
      (await startCartSession(shop, customer, { titleids: 'book,sound', price: 19.5, currency: 'EUR' })).value,
    ).toMatchObject({
      code: 'price_changed',
    });
    expect((await startCartSession(shop, customer, { titleids: 'film,book,sound', price: 19.5, currency: 'EUR' })).status).toBe(
      200,
    );
  });
});

test('all titles of a campaign are removed from the cart at once [S7.cart/removeCampaign]', async () => {
  for (const titleId of ['book', 'sound', 'film']) await addFromCampaign(titleId);
  await fillCart(shop, customer, ['gratis']);
  expect(listTitleIds((await callCart(shop, customer, 'removeCampaign', { campaignId: 'spring' })).value)).toEqual(['gratis']);
});

test('a campaign lists its conditions, rewards and end [S7.campaign/titles]', async () => {
  const { value } = await shop.call('campaignTitles', '/campaign/titles', { query: { ...customer.query, campaignId: 'spring' } });
  expect(value).toMatchObject({
    Buy: 2,
    Pick: 1,
    EndsAt: springCampaign.endsAt?.toISOString(),
    Offers: [
      { TitleId: 'book', Reward: false, Amount: 7.5, Currency: 'EUR', CurrencySymbol: '€' },
      { TitleId: 'sound', Reward: false },
      { TitleId: 'film', Reward: true },
      { TitleId: 'gratis', Reward: true },
      { TitleId: 'hidden', Reward: true },
    ],
  });
});
