import { expect, test } from 'vitest';
import { shelvesOf } from '../../../src/flows/title/shelves.ts';
import { rejection, world, xml } from '../../support/client/world.ts';

const titleOf = (id: string) =>
  `<Title><TitleId>${id}</TitleId><Name>${id}</Name><TitleType>1</TitleType><Medium>EPUB</Medium></Title>`;
const list = (...ids: string[]) => xml(`<Titles>${ids.map(titleOf).join('')}</Titles>`);
const broken = () => xml('<Error><StatusCode>404</StatusCode><Code>not_found</Code></Error>', 404);

type Reply = () => Response;
const shelves = (reply: { series?: Reply; author?: Reply; related: Reply }, of = { series: 'Tides', author: 'Ada Quill' }) => {
  const asked: string[] = [];
  const { api } = world([], {
    fetch: async ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      asked.push(searchParams.get('series') ?? searchParams.get('author') ?? pathname.split('/').at(-1) ?? '');
      const kind = searchParams.has('series') ? 'series' : searchParams.has('author') ? 'author' : 'related';
      return reply[kind]?.() ?? broken();
    },
  });
  const found = shelvesOf(api, { titleId: 't1', ...of }, new AbortController().signal);
  return { asked, found };
};
const idsOf = (found: Awaited<ReturnType<typeof shelvesOf>>) =>
  found.map(({ kind, titles }) => [kind, titles.map(({ id }) => id)]);

test('each title stands on the first shelf that it fits, this one on none', async () => {
  const { asked, found } = shelves({
    series: () => list('t0', 't1', 't2'),
    author: () => list('t1', 't2', 't3'),
    related: () => list('t3', 't2', 't4'),
  });
  expect(idsOf(await found)).toEqual([
    ['series', ['t0', 't2']],
    ['author', ['t3']],
    ['similar', ['t4']],
  ]);
  expect(asked).toEqual(['Tides', 'Ada Quill', 'related']);
});

test('what there is nothing of is not asked for, and an empty shelf is none', async () => {
  const { asked, found } = shelves({ related: () => list() }, { series: null, author: null } as never);
  expect(await found).toEqual([]);
  expect(asked).toEqual(['related']);
});

test('a shelf that does not come leaves the others; when none comes, that is a failure', async () => {
  expect(idsOf(await shelves({ author: () => list('t5'), related: broken }).found)).toEqual([['author', ['t5']]]);
  expect(await rejection(shelves({ related: broken }).found)).toMatchObject({ code: 'not_found' });
});
