import { describe, expect, test, vi } from 'vitest';
import { parseListQuery } from '../../../machines/model/catalogue/list.ts';
import { findTitleByName } from '../../../src/flows/catalogue/title-by-name.ts';
import { streamTitles, type ListMetadata } from '../../../src/flows/catalogue/title-stream.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';
import { streamInPieces, catchRejection, createFakeServer, xml } from '../../support/client/fake-environment.ts';

const titleXml = (id: string) =>
  `<Title><TitleId>${id}</TitleId><Name>${id}</Name><TitleType>1</TitleType><Medium>EPUB</Medium></Title>`;
const makeIds = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
const parseQuery = (path: string) => {
  const { pathname, search } = new URL(path, 'https://shop.example');
  return parseListQuery(parseRoute({ pathname, search }));
};
const allQuery = parseQuery('/all');

const readStream = async (replies: Parameters<typeof createFakeServer>[0], query = allQuery, options = {}) => {
  const { api, requests } = createFakeServer(replies);
  const titleBatches: string[][] = [];
  const heads: ListMetadata[] = [];
  const resultPromise = streamTitles(api, query, {
    limit: 100,
    cursor: null,
    categoryId: null,
    signal: new AbortController().signal,
    onTitles: async (titles, head) => {
      titleBatches.push(titles.map(({ id }) => id));
      heads.push(head);
    },
    ...options,
  });
  return { resultPromise, titleBatches, heads, requests };
};

describe('a list that is parsed as it arrives', () => {
  test('titles of a list are reported before the response has ended, with the metadata at its start', async () => {
    const text = `<Titles total="10000" name="Sea">${makeIds(30).map(titleXml).join('')}<next>c2</next></Titles>`;
    const { resultPromise, titleBatches, heads } = await readStream([new Response(streamInPieces(text, [400]))]);
    expect(await resultPromise).toEqual({
      head: { total: 10_000, name: 'Sea', meant: null, behindFirst: null },
      next: 'c2',
      leftOut: 0,
    });
    expect(titleBatches.flat()).toEqual(makeIds(30));
    expect(titleBatches.length).toBeGreaterThan(5);
    expect(heads[0]).toEqual({ total: 10_000, name: 'Sea', meant: null, behindFirst: null });
  });

  test('the next titles of a list are read when the previous ones have been handled', async () => {
    const text = `<Titles>${makeIds(9).map(titleXml).join('')}</Titles>`;
    let runningHandlers = 0;
    const onTitles = async () => {
      runningHandlers += 1;
      expect(runningHandlers).toBe(1);
      await Promise.resolve();
      runningHandlers -= 1;
    };
    const { resultPromise } = await readStream([new Response(streamInPieces(text, [150]))], allQuery, { onTitles });
    await resultPromise;
  });

  test('a list of 60,000 titles exceeds no limit on bytes or elements', async () => {
    const text = `<Titles>${makeIds(60_000).map(titleXml).join('')}</Titles>`;
    const { resultPromise, titleBatches } = await readStream([new Response(streamInPieces(text, [1 << 16]))]);
    expect((await resultPromise).next).toBeNull();
    expect(titleBatches.flat()).toHaveLength(60_000);
  });

  test('titles before a connection failure are reported', async () => {
    const failingStream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`<Titles>${titleXml('t0')}`));
      },
      pull: (controller) => controller.error(new TypeError('torn')),
    });
    const { resultPromise, titleBatches } = await readStream([() => new Response(failingStream)]);
    expect(await catchRejection(resultPromise)).toEqual({ kind: 'offline' });
    expect(titleBatches).toEqual([['t0']]);
  });

  test('a response that pauses for too long is aborted', async () => {
    vi.useFakeTimers();
    const pausingStream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`<Titles>${titleXml('t0')}`)),
    });
    const { api } = createFakeServer([() => new Response(pausingStream)], {
      fetch: async (request) => {
        const body = pausingStream.pipeThrough(new TransformStream(), { signal: request.signal });
        return new Response(body);
      },
    });
    const resultPromise = catchRejection(
      streamTitles(api, allQuery, {
        limit: 1,
        cursor: null,
        categoryId: null,
        signal: new AbortController().signal,
        onTitles: async () => {},
      }),
    );
    await vi.advanceTimersByTimeAsync(16_000);
    expect(await resultPromise).toEqual({ kind: 'timeout' });
    vi.useRealTimers();
  });

  test('the request for a list has its filters, its cursor and its limit', async () => {
    const query = parseQuery('/catalog/titles/summer?search=sea&sort=price&pricefrom=1&priceto=9.5');
    const { resultPromise, requests } = await readStream([xml('<Titles/>')], query, { cursor: 'c1', categoryId: '12' });
    await resultPromise;
    expect(requests[0]?.query).toEqual({
      titletype: '0',
      catalogid: 'summer',
      categoryid: '12',
      search: 'sea',
      sort: 'price',
      pricefrom: '1',
      priceto: '9.5',
      cursor: 'c1',
      limit: '100',
      shelfid: 'demo',
    });
    const freeStream = await readStream([xml('<Titles/>')], parseQuery('/titleset/titles/7?free=true'));
    await freeStream.resultPromise;
    expect(freeStream.requests[0]?.query).toEqual({
      titletype: '0',
      titlesetid: '7',
      free: 'true',
      limit: '100',
      shelfid: 'demo',
    });
  });
});

test('an empty list may be answered with "not found", a missing category may not', async () => {
  const createNotFoundResponse = () => xml('<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>', 404);
  const { resultPromise } = await readStream([createNotFoundResponse()]);
  expect(await resultPromise).toEqual({
    head: { total: null, name: null, meant: null, behindFirst: null },
    next: null,
    leftOut: 0,
  });
  const { resultPromise: categoryPromise } = await readStream([createNotFoundResponse()], parseQuery('/all/novels/7'));
  expect(await catchRejection(categoryPromise)).toMatchObject({ code: 'not_found' });
});

describe('a title by the end of its address [S2.title-by-type]', () => {
  const searchByName = (reply: Response, name: string) => {
    const { api, requests } = createFakeServer([reply]);
    return { requests, titlePromise: findTitleByName(api, 'audio', name, new AbortController().signal) };
  };

  const createTitleXml = (id: string, name: string, type = 2) =>
    `<Title><TitleId>${id}</TitleId><Name>${name}</Name><TitleType>${type}</TitleType></Title>`;

  test('the first title with a name is found, even if the server sends others', async () => {
    const otherTitles =
      createTitleXml('t1', 'Night') +
      createTitleXml('t2', 'Night Signals', 1) +
      createTitleXml('t3', '') +
      createTitleXml('t4', 'Night Signals II');
    const { requests, titlePromise } = searchByName(
      xml(`<Titles>${otherTitles}${createTitleXml('t7', 'Night / Signals')}</Titles>`),
      'night-signals',
    );
    expect((await titlePromise).id).toBe('t7');
    expect(requests[0]?.query).toEqual({ titletype: '2', name: 'night-signals', limit: '100', shelfid: 'demo' });
  });

  test('a title is missing when the server sends none of that name', async () => {
    const { titlePromise } = searchByName(
      xml(`<Titles>${createTitleXml('t1', 'Night')}${createTitleXml('t2', 'Low Tide')}</Titles>`),
      'night-signals',
    );
    expect(await catchRejection(titlePromise)).toMatchObject({ kind: 'refused', code: 'not_found' });
  });

  test.each(['nowhere', '', 'x'.repeat(10_000)])('a title is missing when the server sends no titles: %s', async (name) => {
    expect(await catchRejection(searchByName(xml('<Titles/>'), name).titlePromise)).toMatchObject({
      kind: 'refused',
      code: 'not_found',
    });
  });
});
