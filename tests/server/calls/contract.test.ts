import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handlers } from '../../../server/api/handlers.ts';
import { calls } from '../support/answers.ts';
import { createCustomer, type Customer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop();
  customer = await createCustomer(shop, await shop.store());
});
afterAll(() => shop.close());

/** Valid values for all required parameters. */
const SAMPLE_PARAMETERS: Record<string, string> = {
  appid: 'web',
  token: 'a-token-of-a-link-0123',
  planId: 'p1',
  cardId: 'c1',
  intentId: 'i1',
  subscriptionId: 's1',
  paymentId: 'p1',
  sign: 'abc',
  titleId: 'book',
  titleid: 'book',
  titleids: 'book',
  search: 'salt',
  code: 'CODE',
  RedeemPin: 'PIN',
  campaignId: 'c1',
  email: 'a@example.org',
  page: 'about',
  url: '/api/titles',
  instanceid: 'x',
  content: '1',
  contextkey: 'x',
  transId: 't',
  transactonId: 't',
  isbn: '9780306406157',
  Authorization: 'Bearer x',
};
const SAMPLE_BODIES: Record<string, string | object> = {
  saveUserDetails: '<UserDetails><Name>A</Name></UserDetails>',
  resetPassword: '<ResetPassword><Token>a-token-of-a-link-0123</Token><Password>long enough</Password></ResetPassword>',
  deregisterDevice: '<DeregisterDevice><DeviceId>d</DeviceId></DeregisterDevice>',
  addCard: '<Card><Token>a-token-of-a-card-0123</Token></Card>',
  deleteCard: '<Card><CardId>c</CardId></Card>',
  changeCard: '<Card><CardId>c</CardId></Card>',
  redeemBenefit: '<RedeemCode><Code>CODE</Code></RedeemCode>',
  buyWithCredits: { titleId: 'book', credits: 1, creditCurrency: 'Credits' },
};

const callsWithoutHandler = calls.filter(({ call }) => !(call.operationId in handlers));
const callsWithLogin = calls.filter(({ call }) => Reflect.get(call, 'x-access') === 'login');

test('every call of the contract has a unique id and a handler', () => {
  expect(calls.length).toBe(new Set(calls.map(({ call }) => call.operationId)).size);
  expect(calls.length - callsWithoutHandler.length).toBe(Object.keys(handlers).length);
  expect(callsWithoutHandler.map(({ call }) => call.operationId)).toEqual([]);
});

type ContractCall = (typeof calls)[number];
const callOperation = ({ path, call, method }: ContractCall, query: Record<string, string>) => {
  const parameters = (Reflect.get(call, 'parameters') ?? []) as {
    name?: string;
    $ref?: string;
    in?: string;
    required?: boolean;
  }[];
  const parameterNames = parameters.map((each) => each.name ?? (each.$ref?.endsWith('/appid') ? 'appid' : ''));
  const sampleQuery = Object.fromEntries(
    parameterNames.flatMap((name) => (SAMPLE_PARAMETERS[name] ? [[name, SAMPLE_PARAMETERS[name]]] : [])),
  );
  const body = SAMPLE_BODIES[call.operationId];
  return shop.call(
    call.operationId,
    path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => SAMPLE_PARAMETERS[name] ?? 'x'),
    {
      query: { ...sampleQuery, ...query },
      method: method === 'post' ? 'POST' : 'GET',
      headers: { authorization: 'Bearer a-token' },
      ...(body === undefined ? {} : { body }),
    },
  );
};

test.each(callsWithLogin.filter(({ method }) => method === 'get').map((each) => [each.call.operationId, each] as const))(
  '%s responds 401 without a signed-in customer',
  async (_id, contractCall) => {
    const response = await callOperation(contractCall, { shelfid: customer.store });
    expect(response.status, response.text).toBe(401);
  },
);

test.each(calls.filter(({ method }) => method === 'get').map((each) => [each.call.operationId, each] as const))(
  '%s responds 404 for an unknown or malformed store id',
  async (_id, contractCall) => {
    for (const query of [
      { ...customer.query, shelfid: 'nowhere' },
      { ...customer.query, shelfid: '<bad>' },
    ]) {
      const { value, status } = await callOperation(contractCall, query);
      expect(status).toBe(404);
      expect(value).toMatchObject('Status' in (value as object) ? { Status: 'Invalid' } : { code: 'invalid_store' });
    }
  },
);

describe('errors', () => {
  test.each([
    ['titles', '/titles', { limit: 10_001 }],
    ['titles', '/titles', { limit: 'many' }],
    ['titles', '/titles', { titletype: 9 }],
    ['titles', '/titles', { search: 'x'.repeat(300) }],
    ['titleById', '/titles/a%20b%3C', {}],
    ['titleByIsbn', '/titles/isbn/hello', {}],
    ['paymentSession', '/payment/session', {}],
    ['paymentSession', '/payment/session', { titleId: 'book', price: -1 }],
    ['paymentSession', '/payment/session', { titleId: 'book', currency: 'euros' }],
    ['sessionStatus', '/checkout/session/status', { transId: '' }],
    ['viewerProgress', '/viewer/progress', { titleid: 'book', contextkey: '../..' }],
  ])('the malformed request %s %s %j is refused with a reason, in the format of its call', async (id, path, query) => {
    const { status, value, text } = await shop.call(id, path, {
      query: { ...customer.query, ...(query as Record<string, string>) },
    });
    expect(status).toBe(400);
    const isXml = text.startsWith('<?xml');
    expect(value).toMatchObject(isXml ? { StatusCode: 400, Status: 'BadRequest' } : { status: 400, code: 'bad_request' });
    expect(String(Reflect.get(value as object, isXml ? 'Message' : 'error'))).toMatch(/\w{3,}/);
    expect(text).not.toMatch(/\bat .*\.(?:ts|js)\b|node_modules/);
  });

  test('a body of another type, a too long body and a malformed body are refused', async () => {
    const url = `/api/viewer/progress?${new URLSearchParams({ ...customer.query, titleid: 'book', contextkey: 'x' }).toString()}`;
    const post = (type: string, payload: string) =>
      shop.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
    for (const type of ['text/plain', 'text/xml', 'application/xml', 'application/x-www-form-urlencoded', 'text/json'])
      expect((await post(type, '<Position/>')).statusCode).toBe(415);
    expect((await shop.app.inject({ method: 'POST', url })).statusCode).toBe(415);
    expect((await post('application/json', JSON.stringify({ position: 'x'.repeat(100_000) }))).statusCode).toBe(413);
    const malformedResponse = await post('application/json', '{"position":');
    expect(malformedResponse.statusCode).toBe(400);
    expect(malformedResponse.json()).toMatchObject({ status: 400, code: 'bad_request' });
  });

  test('a call outside the contract responds 404 in the requested format', async () => {
    const xmlResponse = await shop.app.inject('/api/nothing');
    expect([xmlResponse.statusCode, xmlResponse.headers['content-type']]).toEqual([404, 'application/xml; charset=utf-8']);
    const jsonResponse = await shop.app.inject({ url: '/api/nothing', headers: { accept: 'application/json' } });
    expect(jsonResponse.json()).toMatchObject({ status: 404, code: 'not_found' });
    expect((await shop.app.inject({ method: 'HEAD', url: '/api/titles' })).statusCode).toBe(404);
  });

  test('a server error reveals no details', async () => {
    const brokenShop = await openShop();
    await brokenShop.loseDatabase();
    const response = await brokenShop.call('titles', '/titles', { query: { shelfid: 'x' } });
    expect(response.value).toEqual({
      StatusCode: 500,
      Status: 'InternalServerError',
      Message: 'Something went wrong on our side.',
    });
    await brokenShop.close().catch(() => undefined);
  });
});

test('responses forbid caching, content sniffing and referrers', async () => {
  const { headers } = await shop.call('titles', '/titles', { query: { shelfid: customer.store } });
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
});
