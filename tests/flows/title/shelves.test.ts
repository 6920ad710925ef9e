import { expect, test } from 'vitest';
import { fetchShelves } from '../../../src/flows/title/shelves.ts';
import { catchRejection, environment, xml } from '../../support/client/fake-environment.ts';

const titleXml = (id: string) =>
  `<Title><TitleId>${id}</TitleId><Name>${id}</Name><TitleType>1</TitleType><Medium>EPUB</Medium></Title>`;
const titlesResponse = (...ids: string[]) => xml(`<Titles>${ids.map(titleXml).join('')}</Titles>`);
const notFoundResponse = () => xml('<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>', 404);

type Reply = () => Response;
const shelves = (reply: { series?: Reply; author?: Reply; related: Reply }, of = { series: 'Tides', author: 'Ada Quill' }) => {
  const asked: string[] = [];
  const { api } = environment([], {
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      asked.push(searchParams.get('series') ?? searchParams.get('author') ?? pathname.split('/').at(-1) ?? '');
      const kind = searchParams.has('series') ? 'series' : searchParams.has('author') ? 'author' : 'related';
      return reply[kind]?.() ?? notFoundResponse();
    },
  });
  const found = fetchShelves(api, { titleId: 't1', ...of }, new AbortController().signal);
  return { asked, found };
};
const shelfIds = (found: Awaited<ReturnType<typeof fetchShelves>>) =>
  found.map(({ kind, titles }) => [kind, titles.map(({ id }) => id)]);

test('each title is on the first shelf that it fits, and the page’s own title on none', async () => {
  const { asked, found } = shelves({
    series: () => titlesResponse('t0', 't1', 't2'),
    author: () => titlesResponse('t1', 't2', 't3'),
    related: () => titlesResponse('t3', 't2', 't4'),
  });
  expect(shelfIds(await found)).toEqual([
    ['series', ['t0', 't2']],
    ['author', ['t3']],
    ['similar', ['t4']],
  ]);
  expect(asked).toEqual(['Tides', 'Ada Quill', 'related']);
});

test('a shelf without a series or an author is not requested, and an empty one is left out', async () => {
  const { asked, found } = shelves({ related: () => titlesResponse() }, { series: null, author: null } as never);
  expect(await found).toEqual([]);
  expect(asked).toEqual(['related']);
});

test('a shelf that fails leaves the others; if all fail, that is a failure', async () => {
  expect(shelfIds(await shelves({ author: () => titlesResponse('t5'), related: notFoundResponse }).found)).toEqual([
    ['author', ['t5']],
  ]);
  expect(await catchRejection(shelves({ related: notFoundResponse }).found)).toMatchObject({ code: 'not_found' });
});
