import { expect, test } from 'vitest';
import type { Problem } from '../../machines/model/problem.ts';
import { signIn } from '../../src/client/account/account.ts';
import { fetchCategories } from '../../src/client/catalogue/categories.ts';
import { fetchTitle } from '../../src/client/catalogue/title.ts';
import { fetchSubscriptionStatus } from '../../src/client/subscription/subscription.ts';
import { json, catchRejection, createFakeServer, xml } from '../support/client/fake-environment.ts';

const collectProblems = (reply: Response, token: string | null) => {
  const problems: [string, string | null][] = [];
  const onProblem = ({ kind }: Problem, usedToken: string | null) => problems.push([kind, usedToken]);
  return { ...createFakeServer([reply], { token: () => token, onProblem }), problems };
};

const errorResponse = (fields: string) => xml(`<Error>${fields}</Error>`);

test.each([
  ['XML under 200', () => errorResponse('<StatusCode>401</StatusCode>')],
  ['XML deep inside', () => xml('<Title><Meta><StatusCode>401</StatusCode></Meta></Title>')],
  ['status 401 without a body', () => new Response(null, { status: 401 })],
])('a 401 in XML or in the status is reported with the refused token: %s [S6.401]', async (_, reply) => {
  const { api, problems } = collectProblems(reply(), 'token-1');
  expect(await catchRejection(fetchTitle(api, 't1'))).toEqual({ kind: 'unauthorized' });
  expect(problems).toEqual([['unauthorized', 'token-1']]);
});

test('a 401 in JSON is reported with the refused token', async () => {
  const { api, problems } = collectProblems(json({ data: { StatusCode: 401 } }), 'token-1');
  await catchRejection(fetchSubscriptionStatus(api));
  expect(problems).toEqual([['unauthorized', 'token-1']]);
});

test.each([
  ['a list', (categories: unknown[]) => categories],
  ['an answer', (categories: unknown[]) => ({ categories })],
])('a category in %s whose code is 401 is not a refusal', async (_, toAnswer) => {
  const category = { id: 1, name: 'History', code: 401, status: 401, statusCode: 401 };
  const { api, problems } = collectProblems(json(toAnswer([category])), 'token-1');
  expect((await fetchCategories(api)).map(({ name }) => name)).toEqual(['History']);
  expect(problems).toEqual([]);
});

test('a 401 for a wrong password is reported without a token, so that no session ends', async () => {
  const { api, problems } = collectProblems(errorResponse('<StatusCode>401</StatusCode>'), 'token-1');
  await catchRejection(signIn(api, { email: 'a@shop.test', password: 'x' }, { id: 'd', name: 'd' }));
  expect(problems).toEqual([['unauthorized', null]]);
});

test.each([200, 400])('an Invalid answer with a message, under HTTP %i, refuses its call and not the store', async (status) => {
  const { api } = collectProblems(json({ Status: 'Invalid', Message: 'There is no such code.' }, status), null);
  expect(await catchRejection(fetchSubscriptionStatus(api) as Promise<unknown>)).toMatchObject({
    kind: 'refused',
    code: 'error',
  });
});

test.each([
  ['XML', () => errorResponse('<Status>Invalid</Status>'), (api: Parameters<typeof fetchCategories>[0]) => fetchCategories(api)],
  ['JSON', () => json({ Status: 'Invalid' }), (api: Parameters<typeof fetchCategories>[0]) => fetchSubscriptionStatus(api)],
  [
    'a JSON error',
    () => json({ error: 'No', code: 'invalid_store' }, 404),
    (api: Parameters<typeof fetchCategories>[0]) => fetchSubscriptionStatus(api),
  ],
])('an Invalid answer in %s is reported as an invalid store', async (_, reply, call) => {
  const { api, problems } = collectProblems(reply(), null);
  expect(await catchRejection(call(api) as Promise<unknown>)).toEqual({ kind: 'invalidStore' });
  expect(problems).toEqual([['invalidStore', null]]);
});
