// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import type { ListFact } from '../../../machines/browsing/catalogue-setup.ts';
import { listQuery } from '../../../machines/model/catalogue/list.ts';
import type { Api } from '../../../src/client/wire/client.ts';
import { listMemory } from '../../../src/flows/catalogue/list-memory.ts';
import { readList } from '../../../src/flows/catalogue/read-list.ts';
import { routeOf } from '../../../machines/flows/routes.ts';
import { browserScrolling } from '../../../src/history/scroll-position.ts';
import { token } from '../../../src/storage/session-storage.ts';
import { shopWorld } from '../../support/client/shop-world.ts';
import { inPieces, world } from '../../support/client/world.ts';

let api: Api;
let queries: URLSearchParams[];
let language = 'en';

const titleOf = (at: number) =>
  `<Title><TitleId>t${at}</TitleId><Name>t${at}</Name><TitleType>1</TitleType><Medium>EPUB</Medium></Title>`;

/**
 * A store of `count` titles whose cursor is the next one's number; the answers listed are torn behind a title.
 * @param gone the answer to a cursor of that name
 */
const storeOf = (count: number, torn: number[] = [], gone?: Response): void => {
  queries = [];
  api = world([], {
    fetch: async (request) => {
      const query = new URL(request.url).searchParams;
      queries.push(query);
      if (gone && query.get('cursor') === 'gone') return gone;
      const from = Number(query.get('cursor') ?? 0);
      const to = Math.min(count, from + Number(query.get('limit')));
      const breaksAt = torn.shift();
      const titles = Array.from({ length: (breaksAt ?? to) - from }, (_, at) => titleOf(from + at)).join('');
      const end = breaksAt === undefined ? `${to < count ? `<next>${to}</next>` : ''}</Titles>` : '';
      return new Response(inPieces(`<Titles total="${count}">${titles}${end}`, [5_000]));
    },
  }).api;
};

const facts: ListFact[] = [];
const ended = () => vi.waitFor(() => expect(facts.at(-1)?.type).toMatch(/^list\./));

const memory = listMemory(token);
const reader = { ...shopWorld(() => api, { scrolling: browserScrolling, spokenLanguage: () => language }), memory };

const open = (path = '/all') => {
  facts.length = 0;
  const { pathname, search } = new URL(path, 'https://shop.example');
  return readList(reader, listQuery(routeOf({ pathname, search })), (fact) => facts.push(fact));
};

const places = () =>
  facts.flatMap((fact) => (fact.type === 'titles.arrived' ? fact.titles.map(({ id }, at) => [fact.from + at, id]) : []));
const counts = () => facts.flatMap((fact) => (fact.type === 'titles.arrived' ? [fact.count] : []));

beforeEach(() => history.replaceState(null, '', '/all'));

test('a first answer is small; each further one brings as many as there are', async () => {
  storeOf(1_000);
  const list = open();
  await ended();
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', hasMore: true, about: { total: 1_000 } });
  for (let answers = 0; answers < 4; answers += 1) {
    list.goOn();
    facts.length = 0;
    await ended();
  }
  expect(queries.map((query) => query.get('limit'))).toEqual(['100', '100', '200', '400', '800']);
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', hasMore: false });
  expect(counts().at(-1)).toBe(1_000);
});

test('a list may begin behind a cursor, and goes on from there', async () => {
  storeOf(250);
  const list = open('/all?after=12');
  await ended();
  expect(places()[0]).toEqual([0, 't12']);
  list.goOn();
  facts.length = 0;
  await ended();
  expect(queries.map((query) => query.get('cursor'))).toEqual(['12', '112']);
});

test.each([
  ['is of no list', '<Error><StatusCode>400</StatusCode><Status>BadRequest</Status></Error>', 400],
  ['has nothing behind it', '<Titles total="9"></Titles>', 200],
])('a cursor of an address that %s leads to the start of the list', async (_, answer, status) => {
  storeOf(150, [], new Response(answer, { status }));
  const list = open('/all?after=gone');
  await ended();
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', hasMore: true, about: { total: 150 } });
  expect(facts.at(-1)).not.toHaveProperty('about.isPart');
  expect(places()[0]).toEqual([0, 't0']);
  list.goOn();
  facts.length = 0;
  await ended();
  expect(counts()).toEqual([150]);
  expect(queries.map((query) => query.get('cursor'))).toEqual(['gone', null, '100']);
});

test('what the cursor of an address says of the count is nobody’s word', async () => {
  storeOf(250);
  open('/all?after=12');
  await ended();
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', about: { total: null, isPart: true } });
});

test('titles are reported as they arrive, each at its place, as far as they were asked for', async () => {
  storeOf(400);
  const list = open();
  await ended();
  expect(counts().length).toBeGreaterThan(1);
  list.look({ from: 100, to: 150 });
  list.goOn();
  await vi.waitFor(() => expect(counts().at(-1)).toBe(200));
  await ended();
  expect(places()).toEqual(Array.from({ length: 150 }, (_, at) => [at, `t${at}`]));
});

test('a torn answer is asked for again, and no title comes twice', async () => {
  storeOf(300, [60]);
  const list = open();
  await ended();
  expect(facts.at(-1)).toEqual({
    type: 'list.failed',
    problem: { kind: 'malformed', call: 'titles', field: '', message: expect.any(String) as string },
  });
  list.goOn();
  await vi.waitFor(() => expect(facts.at(-1)?.type).toBe('list.ended'));
  expect(places()).toEqual(Array.from({ length: 100 }, (_, at) => [at, `t${at}`]));
});

test('on return the list comes from memory, with the scroll position at which it was left', async () => {
  storeOf(150);
  const list = open();
  await ended();
  list.goOn();
  await vi.waitFor(() => expect(counts().at(-1)).toBe(150));
  await ended();
  list.stop();
  history.replaceState({ ...(history.state as object), y: 4_321 }, '');
  queries.length = 0;
  open();
  expect(facts[0]).toMatchObject({ type: 'titles.arrived', count: 150, about: { scrollY: 4_321, total: 150 } });
  expect(facts[1]).toMatchObject({ type: 'list.ended', hasMore: false });
  expect(queries).toEqual([]);
});

test('in another language the list is asked for again', async () => {
  storeOf(50);
  history.replaceState({ y: 10 }, '');
  const list = open('/titleset/titles/summer');
  await ended();
  list.stop();
  history.replaceState({ ...(history.state as object), y: 10 }, '');
  queries.length = 0;
  language = 'fr';
  open('/titleset/titles/summer').stop();
  language = 'en';
  await vi.waitFor(() => expect(queries).toHaveLength(1));
});

test('another list at the same entry of the history begins at its top, and is asked for', async () => {
  storeOf(50);
  history.replaceState({ y: 900, titles: 800, of: '/all?sort=title' }, '');
  open();
  await ended();
  expect(facts[0]).toMatchObject({ about: { scrollY: 0 } });
  expect(queries.map((query) => query.get('limit'))).toEqual(['100']);
});

test('a reload asks for as many as there were', async () => {
  storeOf(5_000);
  history.replaceState({ y: 9_000, titles: 1_600, of: '/all?sort=price' }, '', '/all?sort=price');
  open('/all?sort=price');
  await ended();
  expect(queries.map((query) => query.get('limit'))).toEqual(['1600']);
  expect(facts[0]).toMatchObject({ about: { scrollY: 9_000 } });
});

test('a stopped list reports nothing more', async () => {
  storeOf(5_000);
  const list = open('/all?sort=author');
  await vi.waitFor(() => expect(facts.length).toBeGreaterThan(0));
  list.stop();
  const heard = facts.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(facts).toHaveLength(heard);
});

test('titles of a slow answer are reported as they come, and those of a torn one before its failure', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let body!: ReadableStreamDefaultController<Uint8Array>;
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
    api = world([], { fetch: async () => new Response(stream) }).api;
    const send = (part: string) => body.enqueue(new TextEncoder().encode(part));
    open('/all?sort=slow');
    send(`<Titles>${titleOf(0)}`);
    await vi.waitFor(() => expect(counts()).toEqual([1]));
    send(titleOf(1) + titleOf(2));
    // The list's own timer, beside the one that limits a pause of the answer.
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
    expect(counts()).toEqual([1]);
    await vi.advanceTimersByTimeAsync(500);
    expect(counts()).toEqual([1, 3]);
    send(titleOf(3));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
    body.error(new TypeError('torn'));
    await vi.waitFor(() => expect(facts.at(-1)).toEqual({ type: 'list.failed', problem: { kind: 'offline' } }));
    expect(counts()).toEqual([1, 3, 4]);
    expect(places()).toEqual([0, 1, 2, 3].map((at) => [at, `t${at}`]));
  } finally {
    vi.useRealTimers();
  }
});

test('a title that cannot be read is left out, and the record of the visit says how many were', async () => {
  api = world([], { fetch: async () => new Response(`<Titles>${titleOf(0)}<Title/>${titleOf(1)}</Titles>`) }).api;
  open('/all?sort=odd');
  await ended();
  expect(places()).toEqual([
    [0, 't0'],
    [1, 't1'],
  ]);
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', leftOut: 1 });
});

test('a server that names the same next place for ever has no more', async () => {
  api = world([], { fetch: async () => new Response(`<Titles>${titleOf(0)}<next>again</next></Titles>`) }).api;
  const list = open('/all?sort=again');
  await ended();
  list.goOn();
  facts.length = 0;
  await ended();
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', hasMore: false });
});
