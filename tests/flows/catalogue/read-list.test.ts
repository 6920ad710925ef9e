// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import type { ListFact } from '../../../machines/browsing/catalogue-setup.ts';
import { parseListQuery } from '../../../machines/model/catalogue/list.ts';
import type { Api } from '../../../src/client/wire/client.ts';
import { createListCache } from '../../../src/flows/catalogue/list-cache.ts';
import { readList } from '../../../src/flows/catalogue/read-list.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';
import { browserScrolling } from '../../../src/history/scroll-position.ts';
import { token } from '../../../src/storage/session-storage.ts';
import { createShopEnvironment } from '../../support/client/shop-environment.ts';
import { streamInPieces, createFakeServer } from '../../support/client/fake-environment.ts';

let api: Api;
let queries: URLSearchParams[];
let language = 'en';

const titleXml = (index: number) =>
  `<Title><TitleId>t${index}</TitleId><Name>t${index}</Name><TitleType>1</TitleType><Medium>EPUB</Medium></Title>`;

/**
 * Serves a store of `count` titles, whose cursors are the index of the next title. Each of
 * `breakIndexes` breaks off one response before the title of that index.
 * @param goneResponse the response to the cursor `gone`
 */
const serveStore = (count: number, breakIndexes: number[] = [], goneResponse?: Response): void => {
  queries = [];
  api = createFakeServer([], {
    fetch: async (request) => {
      const query = new URL(request.url).searchParams;
      queries.push(query);
      if (goneResponse && query.get('cursor') === 'gone') return goneResponse;
      const from = Number(query.get('cursor') ?? 0);
      const to = Math.min(count, from + Number(query.get('limit')));
      const breakIndex = breakIndexes.shift();
      const titles = Array.from({ length: (breakIndex ?? to) - from }, (_, offset) => titleXml(from + offset)).join('');
      const end = breakIndex === undefined ? `${to < count ? `<next>${to}</next>` : ''}</Titles>` : '';
      return new Response(streamInPieces(`<Titles total="${count}">${titles}${end}`, [5_000]));
    },
  }).api;
};

const facts: ListFact[] = [];
const waitForEnd = () => vi.waitFor(() => expect(facts.at(-1)?.type).toMatch(/^list\./));

const cache = createListCache(token);
const readerPorts = {
  ...createShopEnvironment(() => api, { scrolling: browserScrolling, spokenLanguage: () => language }),
  cache,
};

const openList = (path = '/all') => {
  facts.length = 0;
  const { pathname, search } = new URL(path, 'https://shop.example');
  return readList(readerPorts, parseListQuery(parseRoute({ pathname, search })), (fact) => facts.push(fact));
};

const readPositions = () =>
  facts.flatMap((fact) => (fact.type === 'titles.loaded' ? fact.titles.map(({ id }, offset) => [fact.from + offset, id]) : []));
const readCounts = () => facts.flatMap((fact) => (fact.type === 'titles.loaded' ? [fact.count] : []));

beforeEach(() => history.replaceState(null, '', '/all'));

test('the first response has 100 titles, each further one as many as are already loaded', async () => {
  serveStore(1_000);
  const list = openList();
  await waitForEnd();
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', hasMore: true, about: { total: 1_000 } });
  for (let answers = 0; answers < 4; answers += 1) {
    list.loadMore();
    facts.length = 0;
    await waitForEnd();
  }
  expect(queries.map((query) => query.get('limit'))).toEqual(['100', '100', '200', '400', '800']);
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', hasMore: false });
  expect(readCounts().at(-1)).toBe(1_000);
});

test('a list may start after a cursor, and continues from there', async () => {
  serveStore(250);
  const list = openList('/all?after=12');
  await waitForEnd();
  expect(readPositions()[0]).toEqual([0, 't12']);
  list.loadMore();
  facts.length = 0;
  await waitForEnd();
  expect(queries.map((query) => query.get('cursor'))).toEqual(['12', '112']);
});

test.each([
  ['belongs to no list', '<Error><StatusCode>400</StatusCode><Status>BadRequest</Status></Error>', 400],
  ['has no titles after it', '<Titles total="9"></Titles>', 200],
])('a cursor in an address that %s leads to the start of the list', async (_, body, status) => {
  serveStore(150, [], new Response(body, { status }));
  const list = openList('/all?after=gone');
  await waitForEnd();
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', hasMore: true, about: { total: 150 } });
  expect(facts.at(-1)).not.toHaveProperty('about.isPart');
  expect(readPositions()[0]).toEqual([0, 't0']);
  list.loadMore();
  facts.length = 0;
  await waitForEnd();
  expect(readCounts()).toEqual([150]);
  expect(queries.map((query) => query.get('cursor'))).toEqual(['gone', null, '100']);
});

test('a list that starts after a cursor has no total, also if the server sends one', async () => {
  serveStore(250);
  openList('/all?after=12');
  await waitForEnd();
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', about: { total: null, isPart: true } });
});

test('titles are reported as they arrive, each at its position, up to the requested range', async () => {
  serveStore(400);
  const list = openList();
  await waitForEnd();
  expect(readCounts().length).toBeGreaterThan(1);
  list.requestRange({ from: 100, to: 150 });
  list.loadMore();
  await vi.waitFor(() => expect(readCounts().at(-1)).toBe(200));
  await waitForEnd();
  expect(readPositions()).toEqual(Array.from({ length: 150 }, (_, index) => [index, `t${index}`]));
});

test('the remainder of a response that breaks off is requested by the next call, and no title is repeated', async () => {
  serveStore(300, [60]);
  const list = openList();
  await waitForEnd();
  expect(facts.at(-1)).toEqual({
    type: 'list.failed',
    problem: { kind: 'malformed', call: 'titles', field: '', message: expect.any(String) as string },
  });
  list.loadMore();
  await vi.waitFor(() => expect(facts.at(-1)?.type).toBe('list.ended'));
  expect(readPositions()).toEqual(Array.from({ length: 100 }, (_, index) => [index, `t${index}`]));
});

test('a list that is opened again comes from memory, with its scroll position', async () => {
  serveStore(150);
  const list = openList();
  await waitForEnd();
  list.loadMore();
  await vi.waitFor(() => expect(readCounts().at(-1)).toBe(150));
  await waitForEnd();
  list.stop();
  history.replaceState({ ...(history.state as object), y: 4_321 }, '');
  queries.length = 0;
  openList();
  expect(facts[0]).toMatchObject({ type: 'titles.loaded', count: 150, about: { scrollY: 4_321, total: 150 } });
  expect(facts[1]).toMatchObject({ type: 'list.ended', hasMore: false });
  expect(queries).toEqual([]);
});

test('in another language the list of a title set is requested again', async () => {
  serveStore(50);
  history.replaceState({ y: 10 }, '');
  const list = openList('/titleset/titles/summer');
  await waitForEnd();
  list.stop();
  history.replaceState({ ...(history.state as object), y: 10 }, '');
  queries.length = 0;
  language = 'fr';
  openList('/titleset/titles/summer').stop();
  language = 'en';
  await vi.waitFor(() => expect(queries).toHaveLength(1));
});

test('another list at the same history entry starts at its top, and is requested from the server', async () => {
  serveStore(50);
  history.replaceState({ y: 900, titles: 800, of: '/all?sort=title' }, '');
  openList();
  await waitForEnd();
  expect(facts[0]).toMatchObject({ about: { scrollY: 0 } });
  expect(queries.map((query) => query.get('limit'))).toEqual(['100']);
});

test('a reload requests as many titles as were loaded before', async () => {
  serveStore(5_000);
  history.replaceState({ y: 9_000, titles: 1_600, of: '/all?sort=price' }, '', '/all?sort=price');
  openList('/all?sort=price');
  await waitForEnd();
  expect(queries.map((query) => query.get('limit'))).toEqual(['1600']);
  expect(facts[0]).toMatchObject({ about: { scrollY: 9_000 } });
});

test('a stopped list reports nothing more', async () => {
  serveStore(5_000);
  const list = openList('/all?sort=author');
  await vi.waitFor(() => expect(facts.length).toBeGreaterThan(0));
  list.stop();
  const factCount = facts.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(facts).toHaveLength(factCount);
});

test('titles of a slow response are reported as they arrive, and before the failure that ends it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let body!: ReadableStreamDefaultController<Uint8Array>;
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
    api = createFakeServer([], { fetch: async () => new Response(stream) }).api;
    const send = (chunk: string) => body.enqueue(new TextEncoder().encode(chunk));
    openList('/all?sort=slow');
    send(`<Titles>${titleXml(0)}`);
    await vi.waitFor(() => expect(readCounts()).toEqual([1]));
    send(titleXml(1) + titleXml(2));
    // One timer reports the titles, the other limits a pause of the response.
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
    expect(readCounts()).toEqual([1]);
    await vi.advanceTimersByTimeAsync(500);
    expect(readCounts()).toEqual([1, 3]);
    send(titleXml(3));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
    body.error(new TypeError('torn'));
    await vi.waitFor(() => expect(facts.at(-1)).toEqual({ type: 'list.failed', problem: { kind: 'offline' } }));
    expect(readCounts()).toEqual([1, 3, 4]);
    expect(readPositions()).toEqual([0, 1, 2, 3].map((index) => [index, `t${index}`]));
  } finally {
    vi.useRealTimers();
  }
});

test('an unreadable title is left out, and the number of such titles is reported', async () => {
  api = createFakeServer([], { fetch: async () => new Response(`<Titles>${titleXml(0)}<Title/>${titleXml(1)}</Titles>`) }).api;
  openList('/all?sort=odd');
  await waitForEnd();
  expect(readPositions()).toEqual([
    [0, 't0'],
    [1, 't1'],
  ]);
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', leftOut: 1 });
});

test('a server that repeats the same next cursor ends the list', async () => {
  api = createFakeServer([], { fetch: async () => new Response(`<Titles>${titleXml(0)}<next>again</next></Titles>`) }).api;
  const list = openList('/all?sort=again');
  await waitForEnd();
  list.loadMore();
  facts.length = 0;
  await waitForEnd();
  expect(facts.at(-1)).toMatchObject({ type: 'list.ended', hasMore: false });
});
