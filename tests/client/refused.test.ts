import { expect, test } from 'vitest';
import type { Problem } from '../../machines/model/problem.ts';
import { signIn } from '../../src/client/account/account.ts';
import { categories } from '../../src/client/catalogue/categories.ts';
import { titleById } from '../../src/client/catalogue/title.ts';
import { subscriptionStatus } from '../../src/client/subscription/subscription.ts';
import { json, rejection, world, xml } from '../support/client/world.ts';

const heard = (reply: Response, token: string | null) => {
  const problems: [string, string | null][] = [];
  const onProblem = ({ kind }: Problem, used: string | null) => problems.push([kind, used]);
  return { ...world([reply], { token: () => token, onProblem }), problems };
};

const error = (fields: string) => xml(`<Error>${fields}</Error>`);

test.each([
  ['XML under 200', () => error('<StatusCode>401</StatusCode>')],
  ['XML deep inside', () => xml('<Title><Meta><StatusCode>401</StatusCode></Meta></Title>')],
  ['status 401 with nothing to read', () => new Response(null, { status: 401 })],
])('a 401 of any kind is told at one place, with the token that was refused: %s [S6.401]', async (_, reply) => {
  const { api, problems } = heard(reply(), 'token-1');
  expect(await rejection(titleById(api, 't1'))).toEqual({ kind: 'unauthorized' });
  expect(problems).toEqual([['unauthorized', 'token-1']]);
});

test('so is one in JSON', async () => {
  const { api, problems } = heard(json({ data: { StatusCode: 401 } }), 'token-1');
  await rejection(subscriptionStatus(api));
  expect(problems).toEqual([['unauthorized', 'token-1']]);
});

test.each([
  ['a list', (all: unknown[]) => all],
  ['an answer', (all: unknown[]) => ({ categories: all })],
])('a category in %s whose code is 401 ends no session', async (_, answer) => {
  const category = { id: 1, name: 'History', code: 401, status: 401, statusCode: 401 };
  const { api, problems } = heard(json(answer([category])), 'token-1');
  expect((await categories(api)).map(({ name }) => name)).toEqual(['History']);
  expect(problems).toEqual([]);
});

test('a wrong password ends no session', async () => {
  const { api, problems } = heard(error('<StatusCode>401</StatusCode>'), 'token-1');
  await rejection(signIn(api, { email: 'a@shop.test', password: 'x' }, { id: 'd', name: 'd' }));
  expect(problems).toEqual([['unauthorized', null]]);
});

test.each([200, 400])('an answer Invalid with a message, under %i, is about its call, not about the store', async (status) => {
  const { api } = heard(json({ Status: 'Invalid', Message: 'There is no such code.' }, status), null);
  expect(await rejection(subscriptionStatus(api) as Promise<unknown>)).toMatchObject({ kind: 'refused', code: 'error' });
});

test.each([
  ['XML', () => error('<Status>Invalid</Status>'), (api: Parameters<typeof categories>[0]) => categories(api)],
  ['JSON', () => json({ Status: 'Invalid' }), (api: Parameters<typeof categories>[0]) => subscriptionStatus(api)],
  [
    'a JSON error',
    () => json({ error: 'No', code: 'invalid_store' }, 404),
    (api: Parameters<typeof categories>[0]) => subscriptionStatus(api),
  ],
])('an answer Invalid in %s is told at the same place', async (_, reply, call) => {
  const { api, problems } = heard(reply(), null);
  expect(await rejection(call(api) as Promise<unknown>)).toEqual({ kind: 'invalidStore' });
  expect(problems).toEqual([['invalidStore', null]]);
});
