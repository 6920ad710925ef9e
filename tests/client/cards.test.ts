import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  addCard,
  fetchCards,
  startCardSession,
  setDefaultCard,
  deleteCard,
  createTypedCards,
} from '../../src/client/payment/cards.ts';
import { config, json, createFakeServer, xml } from '../support/client/fake-environment.ts';

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
  expect(await fetchCards(createFakeServer([xml(`<Cards>${visa}</Cards>`)]).api, signal)).toEqual([
    { id: 'c1', isDefault: true, isExpired, pii: { brand: 'Visa', last4: '4242', expiry: '08/31' } },
  ]);
});

test.each([
  '<CardId>c1</CardId>',
  '<CardId>c1</CardId><ExpiryMonth>13</ExpiryMonth><ExpiryYear>2031</ExpiryYear>',
  '<CardId>c1</CardId><ExpiryMonth>1</ExpiryMonth><ExpiryYear>20</ExpiryYear>',
  '<CardId>c1</CardId><ExpiryMonth>soon</ExpiryMonth><ExpiryYear>2031</ExpiryYear><Default>perhaps</Default>',
])('a card of another server has no display fields: %s', async (fields) => {
  expect(await fetchCards(createFakeServer([xml(`<Cards>${cardXml(fields)}</Cards>`)]).api, signal)).toEqual([
    { id: 'c1', isDefault: false, isExpired: false, pii: { brand: '', last4: '', expiry: '' } },
  ]);
});

test('a card without an id is left out; a list of such cards alone is malformed', async () => {
  const cardWithoutId = cardXml('<Brand>Visa</Brand>');
  expect(await fetchCards(createFakeServer([xml(`<Cards>${visa}${cardWithoutId}</Cards>`)]).api, signal)).toMatchObject([
    { id: 'c1' },
  ]);
  const cardsPromise = fetchCards(createFakeServer([xml(`<Cards>${cardWithoutId}</Cards>`)]).api, signal);
  await expect(cardsPromise).rejects.toMatchObject({ kind: 'malformed', field: 'cards.0' });
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['an empty body', () => new Response('')],
  ['a bare success', () => xml('<Result><Status>ok</Status></Result>')],
])('after a change answered with %s the cards are read again', async (_, createResponse) => {
  for (const changeCards of [addCard, deleteCard, setDefaultCard]) {
    const { api, requests } = createFakeServer([createResponse(), xml(`<Cards>${visa}</Cards>`)]);
    expect(JSON.stringify(await changeCards(api, 'c2', signal))).toContain('"id":"c1"');
    expect(requests.map(({ path }) => path)[1]).toBe('/api/card/all');
  }
});

test('an answer without cards is an empty list', async () => {
  expect(await fetchCards(createFakeServer([xml('<Cards/>')]).api, signal)).toEqual([]);
});

const hostedPageOptions = { config: { ...config, additions: ['card/session'] } };

test('the gateway’s page must have an HTTP or HTTPS URL', async () => {
  const { api, requests } = createFakeServer([json({ provider: 'test', url: 'https://pay.example/setup/1' })], hostedPageOptions);
  expect(await startCardSession(api, signal)).toEqual({ url: 'https://pay.example/setup/1' });
  expect(requests).toMatchObject([{ method: 'POST', path: '/api/card/session' }]);
  for (const url of ['javascript:alert(1)', 'data:text/html,x', ''])
    await expect(startCardSession(createFakeServer([json({ url })], hostedPageOptions).api, signal)).rejects.toMatchObject({
      kind: 'malformed',
    });
});

test.each([
  ['lacks the call', () => new Response('', { status: 404 })],
  ['fails at it', () => new Response('', { status: 500 })],
  ['answers with a page', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
  ['answers with an error in JSON', () => json({ error: 'No such call' })],
])('a server that has no hosted card page and %s takes the card itself [S7.card/add]', async (_, answer) => {
  expect(await startCardSession(createFakeServer([answer()]).api, signal)).toEqual({ url: null });
});

test('a server that announces a hosted card page but has none takes the card itself', async () => {
  const answer = new Response('', { status: 404 });
  expect(await startCardSession(createFakeServer([answer], hostedPageOptions).api, signal)).toEqual({ url: null });
});

test('a failure of a server with a hosted card page is thrown', async () => {
  const answer = new Response('', { status: 500 });
  await expect(startCardSession(createFakeServer([answer], hostedPageOptions).api, signal)).rejects.toMatchObject({
    kind: 'http',
    status: 500,
  });
});

const cardForm = { cardNumber: '4242424242424242', cardExpiry: '08/31', cardCode: '123', cardName: 'Ann & Lee' };

test('a typed card whose answer is lost is sent again only if the card list lacks the card', async () => {
  const lostResponse = () => new Response('', { status: 503 });
  for (const [cards, calls, addedId] of [
    [visa, ['add', 'all'], 'c1'],
    ['', ['add', 'all', 'add', 'all'], null],
  ] as const) {
    const laterResponses = [xml('<Result><Status>ok</Status></Result>'), xml(`<Cards>${visa}</Cards>`)];
    const { api, requests } = createFakeServer([lostResponse, xml(`<Cards>${cards}</Cards>`), ...laterResponses]);
    const { add } = createTypedCards();
    await expect(add(api, cardForm, signal)).rejects.toMatchObject({ kind: 'http', status: 503 });
    expect(await add(api, cardForm, signal)).toMatchObject({ cards: [{ id: 'c1' }], addedId });
    expect(requests.map(({ path }) => path.split('/').at(-1))).toEqual(calls);
  }
});

test('after a lost response a different card, and after a refusal the same card, is sent without reading the card list first', async () => {
  const refusedResponse = xml(
    '<Error><StatusCode>400</StatusCode><Status>card_declined</Status><Message>No</Message></Error>',
    400,
  );
  for (const [firstResponse, cardNumber] of [
    [() => new Response('', { status: 503 }), '5555555555554444'],
    [refusedResponse, cardForm.cardNumber],
  ] as const) {
    const { api, requests } = createFakeServer([firstResponse, xml(`<Cards>${visa}</Cards>`)]);
    const { add } = createTypedCards();
    await add(api, { ...cardForm, cardNumber }, signal).catch(() => undefined);
    await add(api, cardForm, signal);
    expect(requests.map(({ path }) => path)).toEqual(['/api/card/add', '/api/card/add']);
  }
});

test('a typed card is sent once, as an XML document; cards missing from the answer are requested [S7.card/add]', async () => {
  const { api, requests } = createFakeServer([xml('<Result><Status>ok</Status></Result>'), xml(`<Cards>${visa}</Cards>`)]);
  const { cards, addedId } = await createTypedCards().add(api, cardForm, signal);
  expect([cards.map(({ id }) => id), addedId]).toEqual([['c1'], null]);
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/card/add', 'GET /api/card/all']);
  expect(requests[0]?.body).toBe(
    '<?xml version="1.0" encoding="UTF-8"?><Card><CardNumber>4242424242424242</CardNumber><ExpiryMonth>08</ExpiryMonth><ExpiryYear>2031</ExpiryYear><Cvc>123</Cvc><NameOnCard>Ann &amp; Lee</NameOnCard></Card>',
  );
});

test('changes of cards are sent once, as XML documents', async () => {
  const failedResponse = () => new Response('', { status: 503 });
  for (const [changeCards, path, field] of [
    [addCard, '/api/card/add', 'Token'],
    [deleteCard, '/api/card/delete', 'CardId'],
    [setDefaultCard, '/api/card/change', 'CardId'],
  ] as const) {
    const { api, requests } = createFakeServer([failedResponse]);
    await expect(changeCards(api, 'a & <b>', signal)).rejects.toMatchObject({ kind: 'http', status: 503 });
    expect(requests).toMatchObject([{ method: 'POST', path }]);
    expect(requests[0]?.headers['content-type']).toContain('text/xml');
    expect(requests[0]?.body).toContain(`<Card><${field}>a &amp; &lt;b&gt;</${field}></Card>`);
  }
});

test.each([
  [`<Cards><Added>c1</Added>${visa}</Cards>`, 'c1'],
  [`<Cards>${visa}</Cards>`, null],
])('the added card has its id if the answer names it: %s', async (answer, addedId) => {
  expect(await addCard(createFakeServer([xml(answer)]).api, 'a-token-of-a-card', signal)).toMatchObject({
    addedId,
    cards: [{ id: 'c1' }],
  });
});

test.each([
  ['removed', deleteCard],
  ['made the default', setDefaultCard],
])('a deleted card cannot be %s: the refreshed list shows it is gone', async (_, changeCards) => {
  const { api, requests } = createFakeServer([notFoundResponse, xml(`<Cards>${visa}</Cards>`)]);
  expect(await changeCards(api, 'c2', signal)).toMatchObject([{ id: 'c1' }]);
  expect(requests.map(({ path }) => path.split('/').at(-1))).toEqual([changeCards === deleteCard ? 'delete' : 'change', 'all']);
});
