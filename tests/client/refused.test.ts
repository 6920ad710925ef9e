import { expect, test } from 'vitest';
import type { Problem } from '../../machines/model/problem.ts';
import { signIn } from '../../src/client/account/account.ts';
import { fetchCategories } from '../../src/client/catalogue/categories.ts';
import { fetchTitle } from '../../src/client/catalogue/title.ts';
import { fetchSubscriptionStatus } from '../../src/client/subscription/subscription.ts';
import { json, catchRejection, environment, xml } from '../support/client/fake-environment.ts';

const collectProblems = (reply: Response, token: string | null) => {
  const problems: [string, string | null][] = [];
  const onProblem = ({ kind }: Problem, used: string | null) => problems.push([kind, used]);
  return { ...environment([reply], { token: () => token, onProblem }), problems };
};

const errorResponse = (fields: string) => xml(`<Error>${fields}</Error>`);

test.each([
  ['XML under 200', () => errorResponse('<StatusCode>401</StatusCode>')],
  ['XML deep inside', () => xml('<Title><Meta><StatusCode>401</StatusCode></Meta></Title>')],
  ['status 401 without a body', () => new Response(null, { status: 401 })],
])('a 401 of any kind is reported at one place, with the refused token: %s [S6.401]', async (_, reply) => {
  const { api, problems } = collectProblems(reply(), 'token-1');
  expect(await catchRejection(fetchTitle(api, 't1'))).toEqual({ kind: 'unauthorized' });
  expect(problems).toEqual([['unauthorized', 'token-1']]);
});

test('a 401 in JSON is reported at the same place', async () => {
  const { api, problems } = collectProblems(json({ data: { StatusCode: 401 } }), 'token-1');
  await catchRejection(fetchSubscriptionStatus(api));
  expect(problems).toEqual([['unauthorized', 'token-1']]);
});

test.each([
  ['a list', (all: unknown[]) => all],
  ['an answer', (all: unknown[]) => ({ categories: all })],
])('a category in %s whose code is 401 ends no session', async (_, answer) => {
  const category = { id: 1, name: 'History', code: 401, status: 401, statusCode: 401 };
  const { api, problems } = collectProblems(json(answer([category])), 'token-1');
  expect((await fetchCategories(api)).map(({ name }) => name)).toEqual(['History']);
  expect(problems).toEqual([]);
});

test('a wrong password ends no session', async () => {
  const { api, problems } = collectProblems(errorResponse('<StatusCode>401</StatusCode>'), 'token-1');
  await catchRejection(signIn(api, { email: 'a@shop.test', password: 'x' }, { id: 'd', name: 'd' }));
  expect(problems).toEqual([['unauthorized', null]]);
});

test.each([200, 400])('an Invalid answer with a message, under %i, is about its call, not about the store', async (status) => {
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
])('an Invalid answer in %s is reported at the same place', async (_, reply, call) => {
  const { api, problems } = collectProblems(reply(), null);
  expect(await catchRejection(call(api) as Promise<unknown>)).toEqual({ kind: 'invalidStore' });
  expect(problems).toEqual([['invalidStore', null]]);
});
