import { describe, expect, test } from 'vitest';
import { ownProviders } from '../../src/client/account/own-providers.ts';
import { ownSubscription } from '../../src/client/subscription/own-subscription.ts';
import { ownedCopies } from '../../src/client/library/owned-copies.ts';
import { titlesById } from '../../src/client/catalogue/some-titles.ts';
import { orWhenUnknownCall } from '../../src/client/wire/unknown-call.ts';
import { userPasskeys } from '../../src/client/account/passkeys.ts';
import { giftLetter } from '../../src/flows/purchase/calls/gift.ts';
import { html, json, rejection, text, world, xml } from '../support/client/world.ts';

/** Answers of a server without the call, and of one that fails at it. */
const unknown = [
  ['404', () => html('<title>404</title>', 404)],
  ['501', () => new Response('not served', { status: 501 })],
  ['its start page', () => html('<!doctype html><title>Shop</title>')],
  ['an error in JSON', () => json({ error: 'Unknown method' })],
  ['text', () => text('OK')],
] as const;
const failing = [
  ['500', () => new Response('broken', { status: 500 })],
  ['nothing in time', new DOMException('too slow', 'TimeoutError')],
] as const;
const signal = new AbortController().signal;
const title = (id: number) => xml(`<Title><TitleId>${id}</TitleId><Name>No. ${id}</Name><TitleType>1</TitleType></Title>`);
const form = { name: 'Bo', email: 'bo@example.com', message: '', day: '' };

/** A call that nothing answers is sent again twice. */
const triesOf = (reply: (typeof failing | typeof unknown)[number][1]) =>
  reply instanceof Error ? [reply, reply, reply] : [reply];

describe.each([...unknown, ...failing])('a call beyond the specification answers %s', (_, reply) => {
  const tries = triesOf(reply);
  test('titles by their ids are asked for one by one, and those that are gone left out', async () => {
    const { api, asked } = world([...tries, title(1), html('gone', 404), title(3)]);
    expect((await titlesById(api, ['1', '2', '3'])).map(({ id }) => id)).toEqual(['1', '3']);
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
    const { api } = world([...tries, library]);
    expect(await ownedCopies(api)).toEqual({ 1: 'own' });
  });

  test('the subscription is known by its status', async () => {
    const { api } = world([...tries, json({ subscribed: true, data: 'gold' })]);
    expect(await ownSubscription(api, signal)).toMatchObject({ planId: 'gold', status: 'active' });
  });

  test('the page draws the e-mail of a gift', async () => {
    expect(await giftLetter(world([reply]).api, { titleId: '1', titleIds: null, form })).toBeNull();
  });
});

test.each(unknown)('a part whose call answers %s is not there', async (_, reply) => {
  const problem = await rejection(userPasskeys(world([reply]).api, signal));
  expect(orWhenUnknownCall(problem, 'none')).toBe('none');
});

test.each(failing)('a part whose call answers %s has failed', async (_, reply) => {
  const problem = await rejection(userPasskeys(world([reply]).api, signal));
  expect(() => orWhenUnknownCall(problem, 'none')).toThrow();
});

test('a refusal of the contract is thrown', async () => {
  const refused = json({ error: 'Too late', status: 409, code: 'gift_day' }, 409);
  expect(await rejection(giftLetter(world([refused]).api, { titleId: '1', titleIds: null, form }))).toMatchObject({
    code: 'gift_day',
  });
});

describe.each(unknown)('a call that does not exist answers %s', (_, reply) => {
  test('there are no other ways to sign in', async () => {
    expect(await ownProviders(world([reply]).api, signal)).toEqual([]);
  });
});
