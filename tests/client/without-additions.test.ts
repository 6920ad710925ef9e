import { describe, expect, test } from 'vitest';
import { fetchOwnProviders } from '../../src/client/account/own-providers.ts';
import { fetchSubscription } from '../../src/client/subscription/own-subscription.ts';
import { fetchOwnedCopies } from '../../src/client/library/owned-copies.ts';
import { fetchTitlesById } from '../../src/client/catalogue/some-titles.ts';
import { fallbackIfUnsupported } from '../../src/client/wire/unsupported-call.ts';
import { fetchPasskeys } from '../../src/client/account/passkeys.ts';
import { fetchGiftPreview } from '../../src/flows/purchase/calls/gift.ts';
import { html, json, catchRejection, text, environment, xml } from '../support/client/fake-environment.ts';

/** Answers of a server that lacks the call, and of one that fails at it. */
const unknownCallReplies = [
  ['404', () => html('<title>404</title>', 404)],
  ['501', () => new Response('not served', { status: 501 })],
  ['its start page', () => html('<!doctype html><title>Shop</title>')],
  ['an error in JSON', () => json({ error: 'Unknown method' })],
  ['text', () => text('OK')],
] as const;
const failedReplies = [
  ['500', () => new Response('broken', { status: 500 })],
  ['nothing in time', new DOMException('too slow', 'TimeoutError')],
] as const;
const signal = new AbortController().signal;
const title = (id: number) => xml(`<Title><TitleId>${id}</TitleId><Name>No. ${id}</Name><TitleType>1</TitleType></Title>`);
const form = { name: 'Bo', email: 'bo@example.com', message: '', day: '' };

/** A call without an answer is retried twice. */
const repliesForRetries = (reply: (typeof failedReplies | typeof unknownCallReplies)[number][1]) =>
  reply instanceof Error ? [reply, reply, reply] : [reply];

describe.each([...unknownCallReplies, ...failedReplies])('a call beyond the specification answers %s', (_, reply) => {
  const tries = repliesForRetries(reply);
  test('titles are read by id one by one, and deleted ones are left out', async () => {
    const { api, asked } = environment([...tries, title(1), html('gone', 404), title(3)]);
    expect((await fetchTitlesById(api, ['1', '2', '3'])).map(({ id }) => id)).toEqual(['1', '3']);
    expect(asked.slice(tries.length - 1).map(({ path }) => path)).toEqual([
      '/api/titles/byid',
      '/api/titles/1',
      '/api/titles/2',
      '/api/titles/3',
    ]);
  });

  test('owned titles are those of the library', async () => {
    const own = '<Title><TitleId>1</TitleId><Name>One</Name><TitleType>1</TitleType></Title>';
    const library = xml(`<Purchases><Purchase><InstanceId>i1</InstanceId>${own}</Purchase></Purchases>`);
    const { api } = environment([...tries, library]);
    expect(await fetchOwnedCopies(api)).toEqual({ 1: 'own' });
  });

  test('the subscription is read by its status', async () => {
    const { api } = environment([...tries, json({ subscribed: true, data: 'gold' })]);
    expect(await fetchSubscription(api, signal)).toMatchObject({ planId: 'gold', status: 'active' });
  });

  test('the page renders the e-mail of a gift', async () => {
    expect(await fetchGiftPreview(environment([reply]).api, { titleId: '1', titleIds: null, form })).toBeNull();
  });
});

test.each(unknownCallReplies)('a part whose call is answered with %s is absent', async (_, reply) => {
  const problem = await catchRejection(fetchPasskeys(environment([reply]).api, signal));
  expect(fallbackIfUnsupported(problem, 'none')).toBe('none');
});

test.each(failedReplies)('a part whose call is answered with %s has failed', async (_, reply) => {
  const problem = await catchRejection(fetchPasskeys(environment([reply]).api, signal));
  expect(() => fallbackIfUnsupported(problem, 'none')).toThrow();
});

test('a refusal of the contract is thrown', async () => {
  const refused = json({ error: 'Too late', status: 409, code: 'gift_day' }, 409);
  expect(
    await catchRejection(fetchGiftPreview(environment([refused]).api, { titleId: '1', titleIds: null, form })),
  ).toMatchObject({
    code: 'gift_day',
  });
});

describe.each(unknownCallReplies)('a missing call is answered with %s', (_, reply) => {
  test('there are no other ways to sign in', async () => {
    expect(await fetchOwnProviders(environment([reply]).api, signal)).toEqual([]);
  });
});
