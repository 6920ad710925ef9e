import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DomainError } from '../../../server/kernel/errors.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({ theme: { sidebar: '#102030', 'topbar-text': 'white', bad: 'url(javascript:x)' } });
});
afterAll(() => shop.close());

const callStore = (id: string, path: string, query: Record<string, string | number> = {}) =>
  shop.call(id, path, { query: { shelfid: store, ...query } });
const readStatus = async (responsePromise: ReturnType<typeof callStore>) => (await responsePromise).status;

test('the theme is derived from the colour, and overridden by the store’s own values [S7.theme]', async () => {
  expect((await callStore('theme', '/theme')).value).toEqual({ sidebar: '#102030', 'topbar-text': 'white', footer: '#0b4b4b' });
  const plainStore = await shop.store();
  expect((await callStore('theme', '/theme', { shelfid: plainStore })).value).toEqual({ sidebar: '#0f6b6b', footer: '#0b4b4b' });
  const storeWithoutColour = await shop.store({ properties: {} });
  const colour = { store_id: storeWithoutColour, name: 'ShelfColor', value: 'red"><script>' };
  await shop.db.insertInto('properties').values(colour).execute();
  expect((await callStore('theme', '/theme', { shelfid: storeWithoutColour })).value).toEqual({});
});

test('a private page is only for customers, and a public page for every visitor [S7.pages/page]', async () => {
  const { query } = await createCustomer(shop, store);
  const members = { name: 'members', title: 'Members', html: '<p>Members</p>' };
  expect((await callStore('page', '/pages/about')).value).toEqual({
    name: 'about',
    title: 'About',
    html: '<p>About & so on</p>',
  });
  expect((await callStore('page', '/pages/Members', query)).value).toEqual(members);
  expect(await readStatus(callStore('page', '/pages/members'))).toBe(401);
  expect(await readStatus(callStore('page', '/pages/members', { accesstoken: 'not-a-live-token-at-all' }))).toBe(401);
  expect(await readStatus(callStore('page', '/pages/none', query))).toBe(404);
});

test('a campaign has a name, a text and titles in its own order [S7.campaign/titles]', async () => {
  const campaign = { store_id: store, id: 'spring', name: 'Spring & all', html: '<p>Two for one</p>', reward_count: 1 };
  await shop.db
    .insertInto('campaigns')
    .values({ ...campaign, starts_at: null, ends_at: null })
    .execute();
  const campaignTitle = { store_id: store, campaign_id: 'spring', amount_minor: null, currency: null };
  await shop.db
    .insertInto('campaign_titles')
    .values(['sound', 'book', 'hidden'].map((title_id, position) => ({ ...campaignTitle, title_id, position })))
    .execute();
  expect((await callStore('campaignTitles', '/campaign/titles', { campaignId: 'spring' })).value).toMatchObject({
    CampaignId: 'spring',
    Name: 'Spring & all',
    Message: '<p>Two for one</p>',
    Pick: 1,
    Titles: [{ TitleId: 'sound' }, { TitleId: 'book' }],
  });
  expect(await readStatus(callStore('campaignTitles', '/campaign/titles', { campaignId: 'none' }))).toBe(404);
  const otherStore = await shop.store();
  expect(await readStatus(callStore('campaignTitles', '/campaign/titles', { campaignId: 'spring', shelfid: otherStore }))).toBe(
    404,
  );
});

describe('the subscription status [S7.subscription/status]', () => {
  const readSubscriptionStatus = (query: Record<string, string> = {}) =>
    callStore('subscriptionStatus', '/subscription/status', query);

  test('the subscription status is false until a subscription is active', async () => {
    const customer = await createCustomer(shop, store);
    expect((await readSubscriptionStatus()).value).toEqual({ subscribed: false, data: null });
    expect((await readSubscriptionStatus(customer.query)).value).toEqual({ subscribed: false, data: null });
    await shop.db
      .insertInto('plans')
      .values({ store_id: store, id: 'monthly', name: 'Monthly', period: 'month', amount_minor: 900, currency: 'EUR' })
      .execute();
    const subscription = { store_id: store, user_id: customer.id, plan_id: 'monthly', provider: 'test', provider_id: null };
    const dates = { renews_at: null, cancelled_at: null };
    await shop.db
      .insertInto('subscriptions')
      .values({ ...subscription, ...dates, id: 'old', status: 'ended' })
      .execute();
    expect((await readSubscriptionStatus(customer.query)).value).toEqual({ subscribed: false, data: null });
    await shop.db
      .insertInto('subscriptions')
      .values({ ...subscription, ...dates, id: 'new', status: 'active' })
      .execute();
    expect((await readSubscriptionStatus(customer.query)).value).toEqual({ subscribed: true, data: 'monthly' });
    expect((await readSubscriptionStatus((await createCustomer(shop, store)).query)).value).toEqual({
      subscribed: false,
      data: null,
    });
  });

  test('the subscription status is refused with an invalid token', async () => {
    expect(await readStatus(readSubscriptionStatus({ accesstoken: 'not-a-live-token-at-all' }))).toBe(401);
  });
});

describe('the token for comments [S7.coral/token]', () => {
  test('the token for comments is signed with the store’s secret and names the customer', async () => {
    const secret = 'the secret of the comments';
    const customer = await createCustomer(shop, await shop.store({ coralSecret: secret }));
    const { value, status } = await shop.call('coralToken', '/coral/token', { query: customer.query });
    expect(status).toBe(200);
    const [header, claims, signature] = (value as { token: string }).token.split('.');
    expect(signature).toBe(createHmac('sha256', secret).update(`${header}.${claims}`).digest('base64url'));
    const decodePart = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
    expect(decodePart(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(decodePart(claims)).toMatchObject({ user: { id: customer.id, email: customer.email, username: 'Ann__Co' } });
    const { iat, exp } = decodePart(claims) as { iat: number; exp: number };
    expect(exp - iat).toBe(3600);
  });

  test('the token for comments is not available in a store without comments, nor for a visitor', async () => {
    const customer = await createCustomer(shop, store);
    expect(await readStatus(callStore('coralToken', '/coral/token', customer.query))).toBe(404);
    expect(await readStatus(callStore('coralToken', '/coral/token'))).toBe(401);
  });
});

describe('titles by a URL [S7.titles/byurl]', () => {
  const callByUrl = (url: string, query: Record<string, string | number> = {}) =>
    callStore('titlesByUrl', '/titles/byurl', { url, ...query });
  const getTitleIds = (value: unknown) => (value as { Title?: { TitleId: string }[] }).Title?.map((title) => title.TitleId);

  test('titles by a URL of this server are the response of that URL, page by page', async () => {
    expect(getTitleIds((await callByUrl('/api/titles?titletype=2')).value)).toEqual(['sound']);
    expect(getTitleIds((await callByUrl('http://localhost/api/titles?categoryid=fiction')).value)).toEqual(['book', 'sound']);
    expect(getTitleIds((await callByUrl('/api/titles/book/related')).value)).toEqual(['sound']);
    const firstPage = await callByUrl('/api/titles?sort=title&limit=100', { limit: 2 });
    expect(getTitleIds(firstPage.value)).toEqual(['sound', 'gratis']);
    const { next, total } = firstPage.value as { next: string; total: number };
    expect(total).toBe(5);
    expect(getTitleIds((await callByUrl('/api/titles?sort=title', { limit: 2, cursor: next })).value)).toEqual([
      'not-for-sale',
      'book',
    ]);
  });

  test.each([
    'https://evil.example/api/titles',
    '//evil.example/api/titles',
    'http://localhost:80@evil.example/api/titles',
    'http://user:password@localhost:80/api/titles',
    'https://localhost/api/titles',
    'http://localhost:81/api/titles',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '/healthz',
    '/readyz',
    '/api/user/purchases',
    '/api/titles/byurl?url=/api/titles',
    '/api/titles/../store/properties',
    '/api/titles/%2e%2e/related',
    '/api/titles?shelfid=another',
    '/api/titles?titletype=9',
    '/api/titles?cursor=nonsense',
    'http://[',
    '',
  ])('titles by the URL %j are refused', async (url) => {
    expect(await callByUrl(url)).toMatchObject({ status: 400, value: { Status: 'BadRequest' } });
  });

  test('titles by the URL of a list that has too many callers are refused with the wait of the list', async () => {
    const busyError = new DomainError('too_many_requests', 'Too many callers.', { details: { retryAfterSeconds: 7 } });
    const getList = vi.spyOn(shop.services.sharedAnswers, 'getOrCreate').mockRejectedValueOnce(busyError);
    const query = new URLSearchParams({ shelfid: store, url: '/api/titles' });
    const { statusCode, headers, body } = await shop.app.inject(`/api/titles/byurl?${query.toString()}`);
    expect([statusCode, headers['retry-after']]).toEqual([429, '7']);
    expect(body).toContain('<Message>Too many callers.</Message>');
    getList.mockRestore();
  });

  test('titles by the URL of an unknown list are not found', async () => {
    expect(await readStatus(callByUrl('/api/titles?titlesetid=nowhere'))).toBe(404);
  });
});
