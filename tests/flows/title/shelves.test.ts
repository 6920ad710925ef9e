import { expect, test } from 'vitest';
import { fetchShelves } from '../../../src/flows/title/shelves.ts';
import { catchRejection, createFakeServer, xml } from '../../support/client/fake-environment.ts';

const titleXml = (id: string) =>
  `<Title><TitleId>${id}</TitleId><Name>${id}</Name><TitleType>1</TitleType><Medium>EPUB</Medium></Title>`;
const titlesResponse = (...ids: string[]) => xml(`<Titles>${ids.map(titleXml).join('')}</Titles>`);
const notFoundResponse = () => xml('<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>', 404);

type Reply = () => Response;
const requestShelves = (
  reply: { series?: Reply; author?: Reply; related: Reply },
  titleFields = { series: 'Tides', author: 'Ada Quill' },
) => {
  const requestedShelves: string[] = [];
  const { api } = createFakeServer([], {
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      requestedShelves.push(searchParams.get('series') ?? searchParams.get('author') ?? pathname.split('/').at(-1) ?? '');
      const kind = searchParams.has('series') ? 'series' : searchParams.has('author') ? 'author' : 'related';
      return reply[kind]?.() ?? notFoundResponse();
    },
  });
  const shelves = fetchShelves(api, { titleId: 't1', ...titleFields }, new AbortController().signal);
  return { requestedShelves, shelves };
};
const getShelfIds = (shelves: Awaited<ReturnType<typeof fetchShelves>>) =>
  shelves.map(({ kind, titles }) => [kind, titles.map(({ id }) => id)]);

test('each title is on the first shelf that it fits, and the page’s own title on none', async () => {
  const { requestedShelves, shelves } = requestShelves({
    series: () => titlesResponse('t0', 't1', 't2'),
    author: () => titlesResponse('t1', 't2', 't3'),
    related: () => titlesResponse('t3', 't2', 't4'),
  });
  expect(getShelfIds(await shelves)).toEqual([
    ['series', ['t0', 't2']],
    ['author', ['t3']],
    ['similar', ['t4']],
  ]);
  expect(requestedShelves).toEqual(['Tides', 'Ada Quill', 'related']);
});

test('a title without a series and an author requests no shelves of them, and an empty shelf is left out', async () => {
  const { requestedShelves, shelves } = requestShelves({ related: () => titlesResponse() }, {
    series: null,
    author: null,
  } as never);
  expect(await shelves).toEqual([]);
  expect(requestedShelves).toEqual(['related']);
});

test('a shelf that fails leaves the others; if all shelves fail, the call fails', async () => {
  expect(getShelfIds(await requestShelves({ author: () => titlesResponse('t5'), related: notFoundResponse }).shelves)).toEqual([
    ['author', ['t5']],
  ]);
  expect(await catchRejection(requestShelves({ related: notFoundResponse }).shelves)).toMatchObject({ code: 'not_found' });
});
