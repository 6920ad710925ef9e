import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

type Schema = { $ref?: string; type?: string | string[]; maxLength?: number; pattern?: string; enum?: unknown[] } & {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
};
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: Schema };
type Content = Record<string, { schema: Schema }>;
type Operation = {
  operationId: string;
  summary: string;
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; content?: Content }>;
  'x-access': string;
  'x-changes'?: boolean;
};
type Contract = { paths: Record<string, Record<string, Operation>>; components: Record<string, Record<string, unknown>> };

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Contract;

const resolveRef = <Referable extends { $ref?: string }>(value: Referable): Referable => {
  if (value.$ref === undefined) return value;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const target = contract.components[kind]?.[name];
  if (target === undefined) throw new Error(`Unresolved $ref: ${value.$ref}`);
  return target as Referable;
};

const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
);
const operationsByCall = new Map(operations.map(({ call, operation }) => [call, operation]));
const listParameters = (operation: Operation) => operation.parameters.map(resolveRef);
const listParameterNames = (operation: Operation, location: string) =>
  listParameters(operation)
    .filter((each) => each.in === location)
    .map(({ name }) => name);

/** Query parameters that section 7 of the specification names, by call. */
const specifiedParameters: Record<string, string> = {
  'GET /store/properties': 'accesstoken',
  'GET /subscription/status': 'accesstoken',
  'GET /credits/balance': '',
  'GET /categories': 'categoryid',
  'GET /plans': '',
  'GET /plans/{planId}': '',
  'GET /user/signin': 'appid',
  'POST /user/signup': 'appid',
  'GET /user/signup/fields': '',
  'GET /user/fields/values': '',
  'POST /user/details': '',
  'GET /user/forgotpassword': '',
  'GET /user/token/{token}': '',
  'POST /user/resetpassword': '',
  'GET /user/purchases': '',
  'GET /user/subscription/cancel': '',
  'GET /user/subscription/resume': '',
  'GET /user/delete': '',
  'GET /user/devices': '',
  'POST /user/devices/deregister': '',
  'POST /card/add': '',
  'POST /card/delete': '',
  'POST /card/change': '',
  'GET /card/all': '',
  'GET /titles': 'titletype categoryid tagid search sort cursor limit catalogid titlesetid',
  'GET /titles/byurl': 'url',
  'GET /titles/{titleId}': '',
  'GET /titles/isbn/{isbn}': '',
  'GET /titles/{titleId}/related': '',
  'GET /pages/{page}': '',
  'GET /theme': '',
  'GET /coral/token': '',
  'GET /user/validate': 'accesstoken',
  'GET /checkout/subscription/session': 'planId accesstoken code method',
  'GET /razorpay/verify': 'accesstoken paymentId subscriptionId sign',
  'GET /customer/portal/session': 'accesstoken upgradeplan',
  'GET /subscription/purchase': 'planId cardId accesstoken code',
  'GET /subscription/confirm': 'intentId subscriptionId accesstoken',
  'GET /payment/session': 'titleId price currency accesstoken code method giftInfo',
  'GET /purchase/free': '',
  'GET /purchase/title': 'cardId Price currency country RedeemPin',
  'GET /purchase/title/confirm':
    'cardId priceWithTax taxPrice intentId taxRates currency country RedeemPin transactonId cardCity cardState cardCountry giftInfo',
  'GET /user/has-title': 'accesstoken transId',
  'GET /purchase/info': 'transId isgift',
  'POST /purchase/credits': '',
  'GET /tax': 'titleid accesstoken price',
  'GET /redeem/apply': 'accesstoken code subscription titleid',
  'GET /redeem/title': 'code',
  'GET /redeem/titles': 'RedeemPin',
  'GET /cart/add': 'campaignId code accesstoken',
  'GET /cart/remove': 'campaignId code accesstoken',
  'GET /cart/removeCampaign': 'campaignId code accesstoken',
  'GET /checkout/cart/session': 'accesstoken code method giftInfo',
  'GET /checkout/session/status': 'transId',
  'GET /cart/titles': '',
  'GET /campaign/titles': '',
  'GET /viewer/components': 'accesstoken instanceid sample',
  'GET /viewer/url': 'accesstoken instanceid content sample',
  'GET /viewer/progress': 'accesstoken titleid contextkey',
  'POST /viewer/progress': 'accesstoken titleid contextkey',
};

/** Calls that the app uses beyond the specification. */
const additionalCalls = [
  'POST /card/session',
  'GET /titles/byid',
  'GET /titles/facets',
  'GET /titles/suggestions',
  'GET /user/data',
  'GET /user/subscription',
  'GET /subscription/change',
  'GET /user/providers',
  'POST /user/provider/start',
  'POST /user/provider/finish',
  'POST /user/phone/code',
  'POST /user/phone/signin',
  'GET /user/token/{token}/ways',
  'GET /user/ways',
  'GET /user/ways/providers',
  'POST /user/signout',
  'POST /user/passkeys/rename',
  'POST /user/ways/join',
  'POST /user/ways/phone',
  'POST /user/ways/remove',
  'POST /user/ways/start',
  'GET /user/passkeys',
  'POST /user/passkeys/start',
  'POST /user/passkeys/add',
  'POST /user/passkeys/remove',
  'POST /user/passkey/start',
  'POST /user/passkey/signin',
  'GET /user/titles',
  'POST /redeem/benefit',
  'GET /user/wishlist',
  'POST /user/wishlist',
  'POST /gift/preview',
  'GET /user/gifts',
  'POST /user/gifts/resend',
];

test('the calls are those of the specification and our additions', () => {
  expect([...operationsByCall.keys()].toSorted()).toEqual([...Object.keys(specifiedParameters), ...additionalCalls].toSorted());
});

test.each(Object.entries(specifiedParameters))('%s takes the parameters that the specification names', (call, names) => {
  const operation = operationsByCall.get(call);
  const expectedNames = names.split(' ').filter((name) => name !== '');
  expect(operation && listParameterNames(operation, 'query')).toEqual(expect.arrayContaining(['shelfid', ...expectedNames]));
});

test('operation ids are camel case and unique', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
});

/** Paths of text fields without a maximum length, and of ids without a pattern. */
const findUnboundedFields = (schema: Schema, path: string): string[] => {
  const { type, properties, items, anyOf, ...rules } = resolveRef(schema);
  if (properties) return Object.entries(properties).flatMap(([name, each]) => findUnboundedFields(each, `${path}.${name}`));
  if (items) return findUnboundedFields(items, `${path}[]`);
  if (anyOf) return anyOf.flatMap((each) => findUnboundedFields(each, path));
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
  const isBounded =
    rules.enum !== undefined || rules.maxLength !== undefined || /^\^\[[A-Z-]+\]\{\d\}\$$/.test(rules.pattern ?? '');
  const isId = /(^|\.)\w*id$/i.test(path);
  return (isText && !isBounded) || (isText && isId && rules.pattern === undefined && path !== 'body.position.itemId')
    ? [path]
    : [];
};

describe.each(operations.map(({ call, operation }) => [call, operation] as const))('%s', (call, operation) => {
  const statuses = Object.keys(operation.responses);

  test('a call has a summary and an access level', () => {
    expect(operation.summary.length).toBeGreaterThan(5);
    expect(['open', 'either', 'login']).toContain(operation['x-access']);
    expect(listParameterNames(operation, 'query').includes('accesstoken')).toBe(operation['x-access'] !== 'open');
  });

  test('every input of a call is bounded', () => {
    const bodies = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
      findUnboundedFields(schema, 'body'),
    );
    expect([...listParameters(operation).flatMap(({ name, schema }) => findUnboundedFields(schema, name)), ...bodies]).toEqual(
      [],
    );
  });

  test('a GET that changes something takes an idempotency key', () => {
    const takesKey = listParameterNames(operation, 'header').includes('Idempotency-Key');
    const needsKey = operation['x-changes'] === true && call.startsWith('GET') && operation.operationId !== 'signIn';
    expect(takesKey).toBe(needsKey || operation.operationId === 'buyWithCredits');
    if (call.startsWith('POST')) expect(operation['x-changes']).toBe(true);
  });

  test('a call and its errors have one media type', () => {
    const mediaTypes = new Set(Object.values(operation.responses).flatMap((each) => Object.keys(resolveRef(each).content ?? {})));
    expect([...mediaTypes]).toHaveLength(1);
    expect(statuses).toEqual(expect.arrayContaining(['200', '400', '404', '429', '500']));
    if (operation['x-access'] !== 'open') expect(statuses).toContain('401');
  });
});
