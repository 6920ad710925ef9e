import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addCard, allCards, cardSession, changeCard, deleteCard, typedCards } from '../../src/client/payment/cards.ts';
import { config, json, world, xml } from '../support/client/world.ts';

const signal = new AbortController().signal;
const card = (fields: string): string => `<Card>${fields}</Card>`;
const visa = card(
  '<CardId>c1</CardId><Brand>Visa</Brand><LastFour>4242</LastFour><ExpiryMonth>8</ExpiryMonth><ExpiryYear>2031</ExpiryYear><Default>true</Default>',
);
const missing = () =>
  xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status><Message>There is no such card.</Message></Error>', 404);

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

test.each([
  ['2031-08-31T23:59:59Z', false],
  ['2031-09-01T00:00:00Z', true],
])('on %s a card of 08/31 has expired: %s', async (now, isExpired) => {
  vi.setSystemTime(now);
  expect(await allCards(world([xml(`<Cards>${visa}</Cards>`)]).api, signal)).toEqual([
    { id: 'c1', isDefault: true, isExpired, pii: { brand: 'Visa', last4: '4242', expiry: '08/31' } },
  ]);
});

test.each([
  '<CardId>c1</CardId>',
  '<CardId>c1</CardId><ExpiryMonth>13</ExpiryMonth><ExpiryYear>2031</ExpiryYear>',
  '<CardId>c1</CardId><ExpiryMonth>1</ExpiryMonth><ExpiryYear>20</ExpiryYear>',
  '<CardId>c1</CardId><ExpiryMonth>soon</ExpiryMonth><ExpiryYear>2031</ExpiryYear><Default>perhaps</Default>',
])('a card of another server without what is shown of it: %s', async (fields) => {
  expect(await allCards(world([xml(`<Cards>${card(fields)}</Cards>`)]).api, signal)).toEqual([
    { id: 'c1', isDefault: false, isExpired: false, pii: { brand: '', last4: '', expiry: '' } },
  ]);
});

test('a card that cannot be named to the server is left out, and a list of such cards is malformed', async () => {
  const nameless = card('<Brand>Visa</Brand>');
  expect(await allCards(world([xml(`<Cards>${visa}${nameless}</Cards>`)]).api, signal)).toMatchObject([{ id: 'c1' }]);
  const all = allCards(world([xml(`<Cards>${nameless}</Cards>`)]).api, signal);
  await expect(all).rejects.toMatchObject({ kind: 'malformed', field: 'cards.0' });
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['an empty body', () => new Response('')],
  ['a word', () => xml('<Result><Status>ok</Status></Result>')],
])('a change that is answered with %s is followed by a look at the cards', async (_, done) => {
  for (const run of [addCard, deleteCard, changeCard]) {
    const { api, asked } = world([done(), xml(`<Cards>${visa}</Cards>`)]);
    expect(JSON.stringify(await run(api, 'c2', signal))).toContain('"id":"c1"');
    expect(asked.map(({ path }) => path)[1]).toBe('/api/card/all');
  }
});

test('no cards are an empty list', async () => {
  expect(await allCards(world([xml('<Cards/>')]).api, signal)).toEqual([]);
});

const own = { config: { ...config, additions: ['card/session'] } };

test('the gateway’s page is an http(s) address', async () => {
  const { api, asked } = world([json({ provider: 'test', url: 'https://pay.example/setup/1' })], own);
  expect(await cardSession(api, signal)).toEqual({ url: 'https://pay.example/setup/1' });
  expect(asked).toMatchObject([{ method: 'POST', path: '/api/card/session' }]);
  for (const url of ['javascript:alert(1)', 'data:text/html,x', ''])
    await expect(cardSession(world([json({ url })], own).api, signal)).rejects.toMatchObject({ kind: 'malformed' });
});

test.each([
  ['does not know the call', () => new Response('', { status: 404 })],
  ['fails at it', () => new Response('', { status: 500 })],
  ['answers with a page', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
  ['answers with an error in JSON', () => json({ error: 'No such call' })],
])('a server that names no such page and %s takes the card itself [S7.card/add]', async (_, answer) => {
  expect(await cardSession(world([answer()]).api, signal)).toEqual({ url: null });
});

test('a server that names its page and has none after all takes the card itself', async () => {
  const answer = new Response('', { status: 404 });
  expect(await cardSession(world([answer], own).api, signal)).toEqual({ url: null });
});

test('a failure of a server that names its page is shown', async () => {
  const answer = new Response('', { status: 500 });
  await expect(cardSession(world([answer], own).api, signal)).rejects.toMatchObject({ kind: 'http', status: 500 });
});

const form = { cardNumber: '4242424242424242', cardExpiry: '08/31', cardCode: '123', cardName: 'Ann & Lee' };

test('a typed card whose answer was lost is looked for before it is sent again, and sent where it is missing', async () => {
  const lost = () => new Response('', { status: 503 });
  for (const [cards, calls, addedId] of [
    [visa, ['add', 'all'], 'c1'],
    ['', ['add', 'all', 'add', 'all'], null],
  ] as const) {
    const added = [xml('<Result><Status>ok</Status></Result>'), xml(`<Cards>${visa}</Cards>`)];
    const { api, asked } = world([lost, xml(`<Cards>${cards}</Cards>`), ...added]);
    const { add } = typedCards();
    await expect(add(api, form, signal)).rejects.toMatchObject({ kind: 'http', status: 503 });
    expect(await add(api, form, signal)).toMatchObject({ cards: [{ id: 'c1' }], addedId });
    expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual(calls);
  }
});

test('another card, and one that was refused, are sent without a look', async () => {
  const refused = xml('<Error><StatusCode>400</StatusCode><Status>card_declined</Status><Message>No</Message></Error>', 400);
  for (const [first, cardNumber] of [
    [() => new Response('', { status: 503 }), '5555555555554444'],
    [refused, form.cardNumber],
  ] as const) {
    const { api, asked } = world([first, xml(`<Cards>${visa}</Cards>`)]);
    const { add } = typedCards();
    await add(api, { ...form, cardNumber }, signal).catch(() => undefined);
    await add(api, form, signal);
    expect(asked.map(({ path }) => path)).toEqual(['/api/card/add', '/api/card/add']);
  }
});

test('a card that was typed is sent as a document, once; without cards in the answer they are asked for [S7.card/add]', async () => {
  const { api, asked } = world([xml('<Result><Status>ok</Status></Result>'), xml(`<Cards>${visa}</Cards>`)]);
  const { cards, addedId } = await typedCards().add(api, form, signal);
  expect([cards.map(({ id }) => id), addedId]).toEqual([['c1'], null]);
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/card/add', 'GET /api/card/all']);
  expect(asked[0]?.body).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><Card><CardNumber>4242424242424242</CardNumber><ExpiryMonth>08</ExpiryMonth><ExpiryYear>2031</ExpiryYear><Cvc>123</Cvc><NameOnCard>Ann &amp; Lee</NameOnCard></Card>',
  );
});

test('calls that change something are sent once, as documents', async () => {
  const broken = () => new Response('', { status: 503 });
  for (const [run, path, field] of [
    [addCard, '/api/card/add', 'Token'],
    [deleteCard, '/api/card/delete', 'CardId'],
    [changeCard, '/api/card/change', 'CardId'],
  ] as const) {
    const { api, asked } = world([broken]);
    await expect(run(api, 'a & <b>', signal)).rejects.toMatchObject({ kind: 'http', status: 503 });
    expect(asked).toMatchObject([{ method: 'POST', path }]);
    expect(asked[0]?.headers['content-type']).toContain('text/xml');
    expect(asked[0]?.body).toContain(`<Card><${field}>a &amp; &lt;b&gt;</${field}></Card>`);
  }
});

test.each([
  [`<Cards><Added>c1</Added>${visa}</Cards>`, 'c1'],
  [`<Cards>${visa}</Cards>`, null],
])('which card was added: %s', async (answer, addedId) => {
  expect(await addCard(world([xml(answer)]).api, 'a-token-of-a-card', signal)).toMatchObject({ addedId, cards: [{ id: 'c1' }] });
});

test.each([
  ['removed', deleteCard],
  ['made the default', changeCard],
])('a card that is gone cannot be %s: the list tells', async (_, run) => {
  const { api, asked } = world([missing, xml(`<Cards>${visa}</Cards>`)]);
  expect(await run(api, 'c2', signal)).toMatchObject([{ id: 'c1' }]);
  expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual([run === deleteCard ? 'delete' : 'change', 'all']);
});
