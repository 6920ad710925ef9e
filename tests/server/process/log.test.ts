import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { OverloadedError } from '../../../server/base/priority-gate.ts';
import { redact } from '../../../server/base/log.ts';
import { changeOrDeleteCard } from '../support/cards.ts';
import { createCustomer } from '../support/customers.ts';
import { LogLines } from '../support/log-lines.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

describe('the access log', () => {
  test('the access log has method, route, status and milliseconds of a request, and none of its values', async () => {
    const countBefore = shop.log.lines.length;
    await shop.app.inject(`/api/store/properties?shelfid=${store}`);
    const lines = shop.log.lines.slice(countBefore).map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        request: expect.stringMatching(/^[\da-f-]{36}$/),
        store,
        method: 'GET',
        route: '/api/store/properties',
        status: 200,
        ms: expect.any(Number),
        event: 'http.request',
      },
    ]);
  });

  test('the access log reports health checks at the level debug', async () => {
    const countBefore = shop.log.lines.length;
    await shop.app.inject('/healthz');
    expect(shop.log.lines.slice(countBefore).map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['debug']);
  });
});

test('a refused call and its request are logged with the store and the customer', async () => {
  const customer = await createCustomer(shop, store);
  const countBefore = shop.log.events().length;
  await changeOrDeleteCard(shop, customer, 'deleteCard', '00000000-0000-4000-8000-000000000000');
  const [refusal, request] = shop.log.events().slice(countBefore);
  expect(refusal).toMatchObject({ event: 'api.call.refused', kind: 'not_found', store, customer: customer.id });
  expect(request).toMatchObject({
    event: 'http.request',
    request: refusal?.['request'],
    status: 404,
    store,
    customer: customer.id,
  });
});

test('a call with an invalid parameter is logged as refused', async () => {
  const countBefore = shop.log.events().length;
  await shop.app.inject({ url: '/api/titles', query: { shelfid: store, limit: 'many' } });
  const [refusal, request] = shop.log.events().slice(countBefore);
  expect(refusal).toMatchObject({ level: 'info', event: 'api.call.refused', call: 'titles', kind: 'bad_request' });
  expect(request).toMatchObject({ event: 'http.request', request: refusal?.['request'], status: 400 });
});

test('a list that an overloaded server refuses is a warning, and answered with 503 and the time to wait', async () => {
  vi.spyOn(shop.services.priorityGate, 'runList').mockRejectedValueOnce(new OverloadedError('no free slot'));
  const countBefore = shop.log.events().length;
  const { statusCode, headers, body } = await shop.app.inject({
    url: '/api/titles',
    query: { shelfid: store, limit: '1', search: 'lighthouse' },
  });
  expect({ statusCode, retryAfter: headers['retry-after'] }).toEqual({ statusCode: 503, retryAfter: expect.any(String) });
  expect(body).toContain('The shop is busy at the moment.');
  const [warning] = shop.log.events().slice(countBefore);
  expect(warning).toMatchObject({ level: 'warn', event: 'api.call.overloaded', call: 'titles', store });
});

test('a refused sign-in is logged at info with the id of its request', async () => {
  const { email } = await createCustomer(shop, store);
  const countBefore = shop.log.events().length;
  await shop.call('signIn', '/user/signin', {
    query: { shelfid: store, appid: 'web' },
    headers: { authorization: `Basic ${Buffer.from(`${email}:wrong`).toString('base64')}` },
  });
  const [refusal, request] = shop.log.events().slice(countBefore);
  expect(refusal).toMatchObject({ level: 'info', event: 'api.call.refused', call: 'signIn', kind: 'unauthorized' });
  expect(request).toMatchObject({ event: 'http.request', request: refusal?.['request'], status: 401 });
});

test.each([
  ['550 <ann@example.org> unknown', '550 <[e-mail]> unknown'],
  ['no such user: ann.b+shop@mail.example.org', 'no such user: [e-mail]'],
  ['could not send to +44 7700 900123', 'could not send to [telephone]'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'],
])('e-mail addresses and telephone numbers in errors of other servers are redacted: %s', (text, redactedText) => {
  expect(redact(text)).toBe(redactedText);
});

test.each([
  ['an e-mail address', { to: 'ann@example.org' }],
  ['a telephone number', { to: '+447700900123' }],
  ['a card number', { card: '4242 4242 4242 4242' }],
  ['a password', { given: 'correct horse' }],
  ['an access token', { url: '/api/titles?accesstoken=1' }],
  ['a gateway key', { key: 'sk_test_ofTheTests' }],
  ['a query parameter of a URL', { url: '/redeem?code=ABC' }],
])('the check of log lines finds %s', (fault, fields) => {
  const log = new LogLines();
  log.write(JSON.stringify({ event: 'planted', ...fields }));
  expect(log.findLeaks()).toContainEqual(expect.stringContaining(fault));
});
