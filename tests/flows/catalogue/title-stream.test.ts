import { describe, expect, test, vi } from 'vitest';
import { parseListQuery } from '../../../machines/model/catalogue/list.ts';
import { findTitleByName } from '../../../src/flows/catalogue/title-by-name.ts';
import { streamTitles, type ListMetadata } from '../../../src/flows/catalogue/title-stream.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';
import { streamInPieces, catchRejection, environment, xml } from '../../support/client/fake-environment.ts';

const titleXml = (id: string) =>
  `<Title><TitleId>${id}</TitleId><Name>${id}</Name><TitleType>1</TitleType><Medium>EPUB</Medium></Title>`;
const makeIds = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);
const queryAt = (path: string) => {
  const { pathname, search } = new URL(path, 'https://shop.example');
  return parseListQuery(parseRoute({ pathname, search }));
};
const allQuery = queryAt('/all');

const readStream = async (replies: Parameters<typeof environment>[0], asking = allQuery, more = {}) => {
  const { api, asked } = environment(replies);
  const heard: string[][] = [];
  const heads: ListMetadata[] = [];
  const reading = streamTitles(api, asking, {
    limit: 100,
    cursor: null,
    categoryId: null,
    signal: new AbortController().signal,
    onTitles: async (titles, head) => {
      heard.push(titles.map(({ id }) => id));
      heads.push(head);
    },
    ...more,
  });
  return { reading, heard, heads, asked };
};

describe('a list that is parsed as it arrives', () => {
  test('its titles are reported before it has ended, with the data of its head', async () => {
    const text = `<Titles total="10000" name="Sea">${makeIds(30).map(titleXml).join('')}<next>c2</next></Titles>`;
    const { reading, heard, heads } = await readStream([new Response(streamInPieces(text, [400]))]);
    expect(await reading).toEqual({
      head: { total: 10_000, name: 'Sea', meant: null, behindFirst: null },
      next: 'c2',
      leftOut: 0,
    });
    expect(heard.flat()).toEqual(makeIds(30));
    expect(heard.length).toBeGreaterThan(5);
    expect(heads[0]).toEqual({ total: 10_000, name: 'Sea', meant: null, behindFirst: null });
  });

  test('the next titles are read when the first have been handled', async () => {
    const text = `<Titles>${makeIds(9).map(titleXml).join('')}</Titles>`;
    let dealing = 0;
    const onTitles = async () => {
      dealing += 1;
      expect(dealing).toBe(1);
      await Promise.resolve();
      dealing -= 1;
    };
    const { reading } = await readStream([new Response(streamInPieces(text, [150]))], allQuery, { onTitles });
    await reading;
  });

  test('has no limit on bytes and elements', async () => {
    const text = `<Titles>${makeIds(60_000).map(titleXml).join('')}</Titles>`;
    const { reading, heard } = await readStream([new Response(streamInPieces(text, [1 << 16]))]);
    expect((await reading).next).toBeNull();
    expect(heard.flat()).toHaveLength(60_000);
  });

  test('titles before a break stay valid', async () => {
    const torn = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`<Titles>${titleXml('t0')}`));
      },
      pull: (controller) => controller.error(new TypeError('torn')),
    });
    const { reading, heard } = await readStream([() => new Response(torn)]);
    expect(await catchRejection(reading)).toEqual({ kind: 'offline' });
    expect(heard).toEqual([['t0']]);
  });

  test('an answer that pauses for too long is aborted', async () => {
    vi.useFakeTimers();
    const pausing = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`<Titles>${titleXml('t0')}`)),
    });
    const { api } = environment([() => new Response(pausing)], {
      fetch: async (request) => {
        const body = pausing.pipeThrough(new TransformStream(), { signal: request.signal });
        return new Response(body);
      },
    });
    const reading = catchRejection(
      streamTitles(api, allQuery, {
        limit: 1,
        cursor: null,
        categoryId: null,
        signal: new AbortController().signal,
        onTitles: async () => {},
      }),
    );
    await vi.advanceTimersByTimeAsync(16_000);
    expect(await reading).toEqual({ kind: 'timeout' });
    vi.useRealTimers();
  });

  test('every filter is sent', async () => {
    const asking = queryAt('/catalog/titles/summer?search=sea&sort=price&pricefrom=1&priceto=9.5');
    const { reading, asked } = await readStream([xml('<Titles/>')], asking, { cursor: 'c1', categoryId: '12' });
    await reading;
    expect(asked[0]?.query).toEqual({
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
    const free = await readStream([xml('<Titles/>')], queryAt('/titleset/titles/7?free=true'));
    await free.reading;
    expect(free.asked[0]?.query).toEqual({ titletype: '0', titlesetid: '7', free: 'true', limit: '100', shelfid: 'demo' });
  });
});

test('an empty list may be answered with "not found", a missing category may not', async () => {
  const missing = () => xml('<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>', 404);
  const { reading } = await readStream([missing()]);
  expect(await reading).toEqual({ head: { total: null, name: null, meant: null, behindFirst: null }, next: null, leftOut: 0 });
  const { reading: ofCategory } = await readStream([missing()], queryAt('/all/novels/7'));
  expect(await catchRejection(ofCategory)).toMatchObject({ code: 'not_found' });
});

describe('a title by the end of its address [S2.title-by-type]', () => {
  const find = (reply: Response, name: string) => {
    const { api, asked } = environment([reply]);
    return { asked, found: findTitleByName(api, 'audio', name, new AbortController().signal) };
  };

  const named = (id: string, name: string, type = 2) =>
    `<Title><TitleId>${id}</TitleId><Name>${name}</Name><TitleType>${type}</TitleType></Title>`;

  test('is the first with that name, even if the server answers with more', async () => {
    const others = named('t1', 'Night') + named('t2', 'Night Signals', 1) + named('t3', '') + named('t4', 'Night Signals II');
    const { asked, found } = find(xml(`<Titles>${others}${named('t7', 'Night / Signals')}</Titles>`), 'night-signals');
    expect((await found).id).toBe('t7');
    expect(asked[0]?.query).toEqual({ titletype: '2', name: 'night-signals', limit: '100', shelfid: 'demo' });
  });

  test('is missing when the server cannot search by name', async () => {
    const { found } = find(xml(`<Titles>${named('t1', 'Night')}${named('t2', 'Low Tide')}</Titles>`), 'night-signals');
    expect(await catchRejection(found)).toMatchObject({ kind: 'refused', code: 'not_found' });
  });

  test.each(['nowhere', '', 'x'.repeat(10_000)])('is missing when no title matches: %s', async (name) => {
    expect(await catchRejection(find(xml('<Titles/>'), name).found)).toMatchObject({ kind: 'refused', code: 'not_found' });
  });
});
