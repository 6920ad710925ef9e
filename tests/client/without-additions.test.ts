import { describe, expect, test } from 'vitest';
import { fetchOwnProviders } from '../../src/client/account/own-providers.ts';
import { fetchSubscription } from '../../src/client/subscription/own-subscription.ts';
import { fetchOwnedCopies } from '../../src/client/library/owned-copies.ts';
import { fetchTitlesById } from '../../src/client/catalogue/some-titles.ts';
import { fallbackIfUnsupported } from '../../src/client/wire/unsupported-call.ts';
import { fetchPasskeys } from '../../src/client/account/passkeys.ts';
import { fetchGiftPreview } from '../../src/flows/purchase/calls/gift.ts';
import { html, json, catchRejection, jsonText, createFakeServer, xml } from '../support/client/fake-environment.ts';

/** Answers of a server that lacks the call. */
const unknownCallReplies = [
  ['404', () => html('<title>404</title>', 404)],
  ['501', () => new Response('not served', { status: 501 })],
  ['its start page', () => html('<!doctype html><title>Shop</title>')],
  ['an error in JSON', () => json({ error: 'Unknown method' })],
  ['text', () => jsonText('OK')],
] as const;
/** Answers of a server that has the call, but fails. */
const failedReplies = [
  ['500', () => new Response('broken', { status: 500 })],
  ['nothing in time', new DOMException('too slow', 'TimeoutError')],
] as const;
const signal = new AbortController().signal;
const titleResponse = (id: number) =>
  xml(`<Title><TitleId>${id}</TitleId><Name>No. ${id}</Name><TitleType>1</TitleType></Title>`);
const giftForm = { name: 'Bo', email: 'bo@example.com', message: '', day: '' };

/** The reply, or three failures of the network: a failed call is retried twice. */
const repliesForRetries = (reply: (typeof failedReplies | typeof unknownCallReplies)[number][1]) =>
  reply instanceof Error ? [reply, reply, reply] : [reply];

describe.each([...unknownCallReplies, ...failedReplies])('a call beyond the specification answers %s', (_, reply) => {
  const failedCalls = repliesForRetries(reply);
  test('titles are read one by one, without deleted ones', async () => {
    const { api, requests } = createFakeServer([...failedCalls, titleResponse(1), html('gone', 404), titleResponse(3)]);
    expect((await fetchTitlesById(api, ['1', '2', '3'])).map(({ id }) => id)).toEqual(['1', '3']);
    expect(requests.slice(failedCalls.length - 1).map(({ path }) => path)).toEqual([
      '/api/titles/byid',
      '/api/titles/1',
      '/api/titles/2',
      '/api/titles/3',
    ]);
  });

  test('owned titles are read from the library', async () => {
    const ownedTitleXml = '<Title><TitleId>1</TitleId><Name>One</Name><TitleType>1</TitleType></Title>';
    const library = xml(`<Purchases><Purchase><InstanceId>i1</InstanceId>${ownedTitleXml}</Purchase></Purchases>`);
    const { api } = createFakeServer([...failedCalls, library]);
    expect(await fetchOwnedCopies(api)).toEqual({ 1: 'own' });
  });

  test('the subscription is read from its status', async () => {
    const { api } = createFakeServer([...failedCalls, json({ subscribed: true, data: 'gold' })]);
    expect(await fetchSubscription(api, signal)).toMatchObject({ planId: 'gold', status: 'active' });
  });

  test('the server’s preview of a gift is null', async () => {
    expect(await fetchGiftPreview(createFakeServer([reply]).api, { titleId: '1', titleIds: null, form: giftForm })).toBeNull();
  });
});

test.each(unknownCallReplies)('a feature whose call is answered with %s is unsupported', async (_, reply) => {
  const problem = await catchRejection(fetchPasskeys(createFakeServer([reply]).api, signal));
  expect(fallbackIfUnsupported(problem, 'none')).toBe('none');
});

test.each(failedReplies)('a feature whose call gets %s has failed, and does not count as unsupported', async (_, reply) => {
  const problem = await catchRejection(fetchPasskeys(createFakeServer([reply]).api, signal));
  expect(() => fallbackIfUnsupported(problem, 'none')).toThrow();
});

test('a refusal that the contract allows is thrown', async () => {
  const refusedResponse = json({ error: 'Too late', status: 409, code: 'gift_day' }, 409);
  expect(
    await catchRejection(
      fetchGiftPreview(createFakeServer([refusedResponse]).api, { titleId: '1', titleIds: null, form: giftForm }),
    ),
  ).toMatchObject({
    code: 'gift_day',
  });
});

describe.each(unknownCallReplies)('a missing call is answered with %s', (_, reply) => {
  test('the customer’s list of providers is empty', async () => {
    expect(await fetchOwnProviders(createFakeServer([reply]).api, signal)).toEqual([]);
  });
});
