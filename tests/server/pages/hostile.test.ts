import { afterAll, beforeAll, expect, test } from 'vitest';
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

const LONG_TEXT = 'x'.repeat(10_000);
const hostileCursors = [
  ['newest', 1e300, 'a', 1],
  ['newest', 'a', 'a', 1],
  ['title', 5, 'a', null],
  ['title', 'a\u0000', 'b', 5],
  ['title', '\ud800', 'b', 5],
  ['price', 0.5, 'b', 5],
].map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'));

/** Malicious values, encoded for a URL. */
const hostileValues = [
  [
    LONG_TEXT,
    '%00',
    'a%00b',
    '%ED%A0%80',
    '%F0%9F%92%A9',
    '%E2%80%AE',
    "'%20or%201=1--",
    '%3Cscript%3E',
    '..%2f..%2fetc',
    '{}',
    '[]',
  ],
  ['-1', '1e309', 'NaN', '99999999999999999999', 'true', 'null', '%22', '%5C', '%25', '%26%7C!:*()', ...hostileCursors],
].flat();

type Parameter = { name?: string; in?: string; schema?: object };
const getParameters = (call: object) => (Reflect.get(call, 'parameters') ?? []) as Parameter[];

const servedCalls = calls.filter(({ method, call }) => method === 'get' && call.operationId in handlers);

test.each(servedCalls.map(({ path, call }) => [call.operationId, path, call] as const))(
  'the call %s answers or refuses any value in its URL',
  async (_id, path, call) => {
    const parameters = getParameters(call).filter(({ name }) => name !== undefined);
    const fillPath = (parameterName: string | undefined, value: string) =>
      path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => (name === parameterName ? value : 'book'));
    const knownParameters = `shelfid=${customer.query.shelfid}&accesstoken=${customer.query.accesstoken}&appid=web`;
    for (const value of hostileValues) {
      const urls = parameters.map((parameter) => {
        const sortOrders = parameter.name === 'cursor' ? ['newest', 'title', 'price'] : ['title'];
        return sortOrders.map((sortOrder) =>
          parameter.in === 'path'
            ? `/api${fillPath(parameter.name, value)}?${knownParameters}`
            : `/api${fillPath(undefined, '')}?${knownParameters}&sort=${sortOrder}&${parameter.name ?? ''}=${value}`,
        );
      });
      for (const url of [
        ...urls.flat(),
        `/api${fillPath(undefined, '')}?shelfid=${value}`,
        `/api${fillPath(undefined, '')}?${knownParameters}&${value}=1`,
      ]) {
        const { statusCode, body } = await shop.app.inject({ url });
        // Calls that the test gateway does not support, such as the signature check, answer 501.
        if (statusCode !== 501) expect(statusCode, `${url.slice(0, 200)} ${body.slice(0, 300)}`).toBeLessThan(500);
      }
    }
  },
);

test.each([
  ['a NUL in a JSON string', '{"position":{"totalProgression":0.5,"label":"a\\u0000b"}}'],
  ['half a surrogate pair in a JSON string', '{"position":{"totalProgression":0.5,"label":"a\\ud800"}}'],
  ['a NUL in a JSON key', '{"position":{"totalProgression":0.5},"a\\u0000":1}'],
])('%s is refused with 400', async (_name, payload) => {
  const query = new URLSearchParams({ ...customer.query, titleid: 'book', contextkey: 'epub' }).toString();
  const headers = { 'content-type': 'application/json' };
  const response = await shop.app.inject({ method: 'POST', url: `/api/viewer/progress?${query}`, headers, payload });
  expect(response.statusCode).toBe(400);
});

test('a NUL in credentials is refused', async () => {
  const authorization = `Basic ${Buffer.from('a\u0000@example.org:password').toString('base64')}`;
  const url = `/api/user/signin?shelfid=${customer.store}&appid=web`;
  expect((await shop.app.inject({ url, headers: { authorization } })).statusCode).toBe(401);
});
