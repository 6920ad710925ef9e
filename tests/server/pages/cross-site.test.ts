import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Customer, customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: 'an operator’s token' }, news: { notifyUrl: 'http://127.0.0.1:1', late: 0 } });
  store = await shop.store({ isDefault: true });
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

type Method = 'GET' | 'POST';

const ask = async (url: string, headers: Record<string, string>, method: Method = 'GET') => {
  const { statusCode, body } = await shop.app.inject({ method, url, headers });
  return statusCode === 403 && body === 'This server answers only to pages of its own.' ? 'refused' : statusCode;
};

const fetchedFrom = (site: string, more: Record<string, string> = {}): Record<string, string> => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': 'no-cors',
  'sec-fetch-dest': 'empty',
  ...more,
});
const navigatedFrom = (site: string, dest = 'document'): Record<string, string> => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': dest,
});

const free = () => `/api/purchase/free?${new URLSearchParams({ ...customer.query, titleId: 'gratis' }).toString()}`;
const purchases = () => shop.db.selectFrom('purchases').select('id').where('user_id', '=', customer.id).execute();

test.each([
  ['another site', fetchedFrom('cross-site')],
  ['a neighbouring host', fetchedFrom('same-site')],
  ['a frame without an origin', fetchedFrom('cross-site', { origin: 'null' })],
  ['such a frame in an old browser', { origin: 'null' }],
  ['a link on another site', navigatedFrom('cross-site')],
  ['a picture in a book', fetchedFrom('same-origin', { 'sec-fetch-dest': 'image' })],
  ['a frame in a page', navigatedFrom('same-origin', 'iframe')],
])('a call of %s reaches no handler, though it has the token', async (_, headers) => {
  expect(await ask(free(), headers)).toBe('refused');
  expect(await ask(free().replace('/api', '/%61pi'), headers)).toBe('refused');
  expect(await purchases()).toEqual([]);
});

test('a page without an origin in an old browser reaches pages of the shop, but no call', async () => {
  const all = ['/config.json', '/opds', '/api/titles'].map((url) => ask(url, { origin: 'null' }));
  expect(await Promise.all(all)).toEqual([200, 200, 'refused']);
});

test('an operator’s address and one that leads nowhere are refused to other sites as well', async () => {
  const foreign = fetchedFrom('cross-site');
  const asked = ['/admin/painting', '/api/nothing', '/config.json', '/', '/anywhere'].map((url) => ask(url, foreign));
  expect(await Promise.all(asked)).toEqual(Array(5).fill('refused'));
  expect(await ask('/', navigatedFrom('cross-site', 'iframe'))).toBe('refused');
});

test('a page of the shop, an app, a server and a customer who types an address are answered', async () => {
  const url = `/api/titles?shelfid=${store}`;
  const all = [
    fetchedFrom('same-origin', { 'sec-fetch-mode': 'cors' }),
    {},
    { origin: 'https://app.example' },
    navigatedFrom('none'),
  ];
  expect(await Promise.all(all.map((headers) => ask(url, headers)))).toEqual([200, 200, 200, 200]);
});

test.each([
  ['a page that a link, a payment page or a provider leads to', '/auth0loginCallback?code=1', navigatedFrom('cross-site'), 404],
  ['the file of a title', '/media/abc.def/story.js', fetchedFrom('cross-site'), 403],
  ['a cover', '/media/covers/none/none/cover.jpg', fetchedFrom('cross-site'), 404],
  ['the feed for reading apps', '/opds', fetchedFrom('cross-site'), 200],
] as const)('the exceptions let through %s', async (_, url, headers, status) => {
  expect(await ask(url, headers)).toBe(status);
});

test('the exceptions let through a webhook, which its signature guards', async () => {
  expect(await ask('/webhooks/test', fetchedFrom('cross-site'), 'POST')).toBe(400);
});

test.each(['/', '/api/titles', '/media/abc.def/story.js', '/opds', '/healthz', 'a page of the test gateway'])(
  'no answer lets a page use a device, a sensor or a payment sheet: %s',
  async (url) => {
    const headers = url.startsWith('/')
      ? new Headers((await shop.app.inject(url)).headers as Record<string, string>)
      : (await fetch(`${shop.gateway.origin}/pay/none`)).headers;
    const policy = String(headers.get('permissions-policy')).split(', ');
    for (const feature of [
      'camera',
      'microphone',
      'geolocation',
      'payment',
      'usb',
      'serial',
      'bluetooth',
      'midi',
      'display-capture',
    ])
      expect(policy).toContain(`${feature}=()`);
    for (const feature of ['fullscreen', 'autoplay', 'publickey-credentials-get', 'publickey-credentials-create', 'web-share'])
      expect(policy).toContain(`${feature}=(self)`);
  },
);
