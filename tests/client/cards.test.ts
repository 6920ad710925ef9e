import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  addCard,
  fetchCards,
  startCardSession,
  setDefaultCard,
  deleteCard,
  createTypedCards,
} from '../../src/client/payment/cards.ts';
import { config, json, environment, xml } from '../support/client/fake-environment.ts';

const signal = new AbortController().signal;
const cardXml = (fields: string): string => `<Card>${fields}</Card>`;
const visa = cardXml(
  '<CardId>c1</CardId><Brand>Visa</Brand><LastFour>4242</LastFour><ExpiryMonth>8</ExpiryMonth><ExpiryYear>2031</ExpiryYear><Default>true</Default>',
);
const notFoundResponse = () =>
  xml('<Error><StatusCode>404</StatusCode><Status>NotFound</Status><Message>There is no such card.</Message></Error>', 404);

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

test.each([
  ['2031-08-31T23:59:59Z', false],
  ['2031-09-01T00:00:00Z', true],
])('on %s a card of 08/31 has expired: %s', async (now, isExpired) => {
  vi.setSystemTime(now);
  expect(await fetchCards(environment([xml(`<Cards>${visa}</Cards>`)]).api, signal)).toEqual([
    { id: 'c1', isDefault: true, isExpired, pii: { brand: 'Visa', last4: '4242', expiry: '08/31' } },
  ]);
});

test.each([
  '<CardId>c1</CardId>',
  '<CardId>c1</CardId><ExpiryMonth>13</ExpiryMonth><ExpiryYear>2031</ExpiryYear>',
  '<CardId>c1</CardId><ExpiryMonth>1</ExpiryMonth><ExpiryYear>20</ExpiryYear>',
  '<CardId>c1</CardId><ExpiryMonth>soon</ExpiryMonth><ExpiryYear>2031</ExpiryYear><Default>perhaps</Default>',
])('a card of another server has no display fields: %s', async (fields) => {
  expect(await fetchCards(environment([xml(`<Cards>${cardXml(fields)}</Cards>`)]).api, signal)).toEqual([
    { id: 'c1', isDefault: false, isExpired: false, pii: { brand: '', last4: '', expiry: '' } },
  ]);
});

test('a card without an id is left out; a list of such cards alone is malformed', async () => {
  const nameless = cardXml('<Brand>Visa</Brand>');
  expect(await fetchCards(environment([xml(`<Cards>${visa}${nameless}</Cards>`)]).api, signal)).toMatchObject([{ id: 'c1' }]);
  const all = fetchCards(environment([xml(`<Cards>${nameless}</Cards>`)]).api, signal);
  await expect(all).rejects.toMatchObject({ kind: 'malformed', field: 'cards.0' });
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['an empty body', () => new Response('')],
  ['a word', () => xml('<Result><Status>ok</Status></Result>')],
])('after a change answered with %s the cards are read again', async (_, done) => {
  for (const run of [addCard, deleteCard, setDefaultCard]) {
    const { api, asked } = environment([done(), xml(`<Cards>${visa}</Cards>`)]);
    expect(JSON.stringify(await run(api, 'c2', signal))).toContain('"id":"c1"');
    expect(asked.map(({ path }) => path)[1]).toBe('/api/card/all');
  }
});

test('an answer without cards is an empty list', async () => {
  expect(await fetchCards(environment([xml('<Cards/>')]).api, signal)).toEqual([]);
});

const ownServer = { config: { ...config, additions: ['card/session'] } };

test('the gateway’s page is an http(s) address', async () => {
  const { api, asked } = environment([json({ provider: 'test', url: 'https://pay.example/setup/1' })], ownServer);
  expect(await startCardSession(api, signal)).toEqual({ url: 'https://pay.example/setup/1' });
  expect(asked).toMatchObject([{ method: 'POST', path: '/api/card/session' }]);
  for (const url of ['javascript:alert(1)', 'data:text/html,x', ''])
    await expect(startCardSession(environment([json({ url })], ownServer).api, signal)).rejects.toMatchObject({
      kind: 'malformed',
    });
});

test.each([
  ['lacks the call', () => new Response('', { status: 404 })],
  ['fails at it', () => new Response('', { status: 500 })],
  ['answers with a page', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
  ['answers with an error in JSON', () => json({ error: 'No such call' })],
])('a server that has no hosted card page and %s takes the card itself [S7.card/add]', async (_, answer) => {
  expect(await startCardSession(environment([answer()]).api, signal)).toEqual({ url: null });
});

test('a server that announces a hosted card page but has none takes the card itself', async () => {
  const answer = new Response('', { status: 404 });
  expect(await startCardSession(environment([answer], ownServer).api, signal)).toEqual({ url: null });
});

test('a failure of a server with a hosted card page is shown', async () => {
  const answer = new Response('', { status: 500 });
  await expect(startCardSession(environment([answer], ownServer).api, signal)).rejects.toMatchObject({
    kind: 'http',
    status: 500,
  });
});

const cardForm = { cardNumber: '4242424242424242', cardExpiry: '08/31', cardCode: '123', cardName: 'Ann & Lee' };

test('when the answer to a typed card is lost, it is sent again only if the card list lacks it', async () => {
  const lost = () => new Response('', { status: 503 });
  for (const [cards, calls, addedId] of [
    [visa, ['add', 'all'], 'c1'],
    ['', ['add', 'all', 'add', 'all'], null],
  ] as const) {
    const added = [xml('<Result><Status>ok</Status></Result>'), xml(`<Cards>${visa}</Cards>`)];
    const { api, asked } = environment([lost, xml(`<Cards>${cards}</Cards>`), ...added]);
    const { add } = createTypedCards();
    await expect(add(api, cardForm, signal)).rejects.toMatchObject({ kind: 'http', status: 503 });
    expect(await add(api, cardForm, signal)).toMatchObject({ cards: [{ id: 'c1' }], addedId });
    expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual(calls);
  }
});

test('another card, and a refused one, are sent without reading the list first', async () => {
  const refused = xml('<Error><StatusCode>400</StatusCode><Status>card_declined</Status><Message>No</Message></Error>', 400);
  for (const [first, cardNumber] of [
    [() => new Response('', { status: 503 }), '5555555555554444'],
    [refused, cardForm.cardNumber],
  ] as const) {
    const { api, asked } = environment([first, xml(`<Cards>${visa}</Cards>`)]);
    const { add } = createTypedCards();
    await add(api, { ...cardForm, cardNumber }, signal).catch(() => undefined);
    await add(api, cardForm, signal);
    expect(asked.map(({ path }) => path)).toEqual(['/api/card/add', '/api/card/add']);
  }
});

test('a typed card is sent as a document, once; cards missing from the answer are requested [S7.card/add]', async () => {
  const { api, asked } = environment([xml('<Result><Status>ok</Status></Result>'), xml(`<Cards>${visa}</Cards>`)]);
  const { cards, addedId } = await createTypedCards().add(api, cardForm, signal);
  expect([cards.map(({ id }) => id), addedId]).toEqual([['c1'], null]);
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/card/add', 'GET /api/card/all']);
  expect(asked[0]?.body).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><Card><CardNumber>4242424242424242</CardNumber><ExpiryMonth>08</ExpiryMonth><ExpiryYear>2031</ExpiryYear><Cvc>123</Cvc><NameOnCard>Ann &amp; Lee</NameOnCard></Card>',
  );
});

test('changes are sent once, as documents', async () => {
  const broken = () => new Response('', { status: 503 });
  for (const [run, path, field] of [
    [addCard, '/api/card/add', 'Token'],
    [deleteCard, '/api/card/delete', 'CardId'],
    [setDefaultCard, '/api/card/change', 'CardId'],
  ] as const) {
    const { api, asked } = environment([broken]);
    await expect(run(api, 'a & <b>', signal)).rejects.toMatchObject({ kind: 'http', status: 503 });
    expect(asked).toMatchObject([{ method: 'POST', path }]);
    expect(asked[0]?.headers['content-type']).toContain('text/xml');
    expect(asked[0]?.body).toContain(`<Card><${field}>a &amp; &lt;b&gt;</${field}></Card>`);
  }
});

test.each([
  [`<Cards><Added>c1</Added>${visa}</Cards>`, 'c1'],
  [`<Cards>${visa}</Cards>`, null],
])('the added card is recognised: %s', async (answer, addedId) => {
  expect(await addCard(environment([xml(answer)]).api, 'a-token-of-a-card', signal)).toMatchObject({
    addedId,
    cards: [{ id: 'c1' }],
  });
});

test.each([
  ['removed', deleteCard],
  ['made the default', setDefaultCard],
])('a deleted card cannot be %s: the refreshed list shows it is gone', async (_, run) => {
  const { api, asked } = environment([notFoundResponse, xml(`<Cards>${visa}</Cards>`)]);
  expect(await run(api, 'c2', signal)).toMatchObject([{ id: 'c1' }]);
  expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual([run === deleteCard ? 'delete' : 'change', 'all']);
});
