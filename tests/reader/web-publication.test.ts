import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchPublication } from '../../src/reader/web-publication.ts';

beforeEach(() => vi.stubGlobal('location', { href: 'https://shop.test/viewer' }));
afterEach(() => vi.unstubAllGlobals());

const link = (href: string, positions?: unknown) => ({
  href,
  type: 'application/xhtml+xml',
  ...(positions === undefined ? {} : { properties: { positions } }),
});

const manifestOf = (readingOrder: unknown[]) => ({
  metadata: { title: 'A book', language: ['en'], readingProgression: 'ltr', layout: 'reflowable', presentation: {} },
  readingOrder,
  resources: [],
  toc: [],
});

const listOf = (...hrefs: string[]) => ({ total: hrefs.length, positions: hrefs.map((href) => ({ href })) });

/**
 * Opens a book of these files; null is a file that cannot be reached. Resolves with the counts and
 * the requests.
 */
async function opened(files: Record<string, unknown>) {
  const requested: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const name = url.replace('https://media.test/one/', '');
    requested.push(name);
    if (files[name] === null) throw new TypeError('Failed to fetch');
    return files[name] === undefined ? new Response('Not found', { status: 404 }) : Response.json(files[name]);
  });
  const { counts } = await fetchPublication('https://media.test/one/manifest.json', new AbortController().signal);
  return { counts: Object.fromEntries(counts), requested };
}

test('a manifest that counts the positions of each item is all that is asked for', async () => {
  const manifest = manifestOf([link('a', 3), link('b', 1)]);
  const { counts, requested } = await opened({ 'manifest.json': manifest, '~positions.json': listOf('a') });
  expect([counts, requested]).toEqual([{ a: 3, b: 1 }, ['manifest.json']]);
});

test.each([
  ['counts no positions', [link('a'), link('b')]],
  ['counts the positions of some items alone', [link('a', 7), link('b')]],
  ['has something else of that name', [link('a', 'many'), link('b', [1])]],
  ['counts parts of positions, or none', [link('a', 1.5), link('b', 0)]],
])('the positions of a book whose manifest %s are counted in their list', async (_, readingOrder) => {
  const files = { 'manifest.json': manifestOf(readingOrder), '~positions.json': listOf('a', 'a', 'b') };
  const { counts, requested } = await opened(files);
  expect([counts, requested]).toEqual([{ a: 2, b: 1 }, ['manifest.json', '~positions.json']]);
});

test('a book whose positions are neither counted nor listed opens without counts', async () => {
  expect((await opened({ 'manifest.json': manifestOf([link('a')]) })).counts).toEqual({});
});

test('a book whose list of positions cannot be reached does not open as one without', async () => {
  const files = { 'manifest.json': manifestOf([link('a')]), '~positions.json': null };
  await expect(opened(files)).rejects.toEqual({ kind: 'offline' });
});

test.each([
  ['a page list', [{ title: 'xii', href: 'a#xii' }], [{ title: 'xii', href: 'a#xii' }]],
  ['no page list', undefined, []],
  ['something else of that name', 'many', []],
])('a manifest with %s opens', async (_, pageList, expected) => {
  const files = { 'manifest.json': { ...manifestOf([link('a', 1)]), pageList } };
  vi.stubGlobal('fetch', async (url: string) => Response.json(files[url.split('/').at(-1) as 'manifest.json']));
  const { manifest } = await fetchPublication('https://media.test/one/', new AbortController().signal);
  expect(manifest.pageList).toEqual(expected);
});
