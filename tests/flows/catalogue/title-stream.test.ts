import { describe, expect, test, vi } from 'vitest';
import { listQuery } from '../../../machines/model/catalogue/list.ts';
import { titleByName } from '../../../src/flows/catalogue/title-by-name.ts';
import { streamTitles, type ListHead } from '../../../src/flows/catalogue/title-stream.ts';
import { routeOf } from '../../../machines/flows/routes.ts';
import { inPieces, rejection, world, xml } from '../../support/client/world.ts';

const titleOf = (id: string) =>
  `<Title><TitleId>${id}</TitleId><Name>${id}</Name><TitleType>1</TitleType><Medium>EPUB</Medium></Title>`;
const ids = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);
const query = (path: string) => {
  const { pathname, search } = new URL(path, 'https://shop.example');
  return listQuery(routeOf({ pathname, search }));
};
const all = query('/all');

const read = async (replies: Parameters<typeof world>[0], asking = all, more = {}) => {
  const { api, asked } = world(replies);
  const heard: string[][] = [];
  const heads: ListHead[] = [];
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

describe('a list that is read as it arrives', () => {
  test('its titles are reported before it has ended, with the data of its head', async () => {
    const text = `<Titles total="10000" name="Sea">${ids(30).map(titleOf).join('')}<next>c2</next></Titles>`;
    const { reading, heard, heads } = await read([new Response(inPieces(text, [400]))]);
    expect(await reading).toEqual({
      head: { total: 10_000, name: 'Sea', meant: null, behindFirst: null },
      next: 'c2',
      leftOut: 0,
    });
    expect(heard.flat()).toEqual(ids(30));
    expect(heard.length).toBeGreaterThan(5);
    expect(heads[0]).toEqual({ total: 10_000, name: 'Sea', meant: null, behindFirst: null });
  });

  test('the next titles are read when the first have been handled', async () => {
    const text = `<Titles>${ids(9).map(titleOf).join('')}</Titles>`;
    let dealing = 0;
    const onTitles = async () => {
      dealing += 1;
      expect(dealing).toBe(1);
      await Promise.resolve();
      dealing -= 1;
    };
    const { reading } = await read([new Response(inPieces(text, [150]))], all, { onTitles });
    await reading;
  });

  test('no list is too long, whatever its bytes and elements', async () => {
    const text = `<Titles>${ids(60_000).map(titleOf).join('')}</Titles>`;
    const { reading, heard } = await read([new Response(inPieces(text, [1 << 16]))]);
    expect((await reading).next).toBeNull();
    expect(heard.flat()).toHaveLength(60_000);
  });

  test('titles that came before it broke off stay valid', async () => {
    const torn = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(`<Titles>${titleOf('t0')}`));
      },
      pull: (controller) => controller.error(new TypeError('torn')),
    });
    const { reading, heard } = await read([() => new Response(torn)]);
    expect(await rejection(reading)).toEqual({ kind: 'offline' });
    expect(heard).toEqual([['t0']]);
  });

  test('an answer that pauses for too long is given up', async () => {
    vi.useFakeTimers();
    const pausing = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`<Titles>${titleOf('t0')}`)),
    });
    const { api } = world([() => new Response(pausing)], {
      fetch: async (request) => {
        const body = pausing.pipeThrough(new TransformStream(), { signal: request.signal });
        return new Response(body);
      },
    });
    const reading = rejection(
      streamTitles(api, all, {
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

  test('everything that narrows it is asked for', async () => {
    const asking = query('/catalog/titles/summer?search=sea&sort=price&pricefrom=1&priceto=9.5');
    const { reading, asked } = await read([xml('<Titles/>')], asking, { cursor: 'c1', categoryId: '12' });
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
    const free = await read([xml('<Titles/>')], query('/titleset/titles/7?free=true'));
    await free.reading;
    expect(free.asked[0]?.query).toEqual({ titletype: '0', titlesetid: '7', free: 'true', limit: '100', shelfid: 'demo' });
  });
});

test('no titles at all may be "not found", a missing category may not', async () => {
  const missing = () => xml('<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>', 404);
  const { reading } = await read([missing()]);
  expect(await reading).toEqual({ head: { total: null, name: null, meant: null, behindFirst: null }, next: null, leftOut: 0 });
  const { reading: ofCategory } = await read([missing()], query('/all/novels/7'));
  expect(await rejection(ofCategory)).toMatchObject({ code: 'not_found' });
});

describe('a title by the end of its address [S2.title-by-type]', () => {
  const find = (reply: Response, name: string) => {
    const { api, asked } = world([reply]);
    return { asked, found: titleByName(api, 'audio', name, new AbortController().signal) };
  };

  const named = (id: string, name: string, type = 2) =>
    `<Title><TitleId>${id}</TitleId><Name>${name}</Name><TitleType>${type}</TitleType></Title>`;

  test('is the first of that name, whatever else the server answers with', async () => {
    const others = named('t1', 'Night') + named('t2', 'Night Signals', 1) + named('t3', '') + named('t4', 'Night Signals II');
    const { asked, found } = find(xml(`<Titles>${others}${named('t7', 'Night / Signals')}</Titles>`), 'night-signals');
    expect((await found).id).toBe('t7');
    expect(asked[0]?.query).toEqual({ titletype: '2', name: 'night-signals', limit: '100', shelfid: 'demo' });
  });

  test('is missing when the server does not know how to look for names', async () => {
    const { found } = find(xml(`<Titles>${named('t1', 'Night')}${named('t2', 'Low Tide')}</Titles>`), 'night-signals');
    expect(await rejection(found)).toMatchObject({ kind: 'refused', code: 'not_found' });
  });

  test.each(['nowhere', '', 'x'.repeat(10_000)])('is missing when there is none: %s', async (name) => {
    expect(await rejection(find(xml('<Titles/>'), name).found)).toMatchObject({ kind: 'refused', code: 'not_found' });
  });
});
