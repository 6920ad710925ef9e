import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchPublication } from '../../src/reader/web-publication.ts';

beforeEach(() => vi.stubGlobal('location', { href: 'https://shop.test/viewer' }));
afterEach(() => vi.unstubAllGlobals());

const makeLink = (href: string, positions?: unknown) => ({
  href,
  type: 'application/xhtml+xml',
  ...(positions === undefined ? {} : { properties: { positions } }),
});

const makeManifest = (readingOrder: unknown[]) => ({
  metadata: { title: 'A book', language: ['en'], readingProgression: 'ltr', layout: 'reflowable', presentation: {} },
  readingOrder,
  resources: [],
  toc: [],
});

const makePositions = (...hrefs: string[]) => ({ total: hrefs.length, positions: hrefs.map((href) => ({ href })) });

/**
 * Opens a book of these files; null is a file that cannot be fetched. Returns the counts and
 * the requests.
 */
async function openPublication(files: Record<string, unknown>) {
  const requests: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const name = url.replace('https://media.test/one/', '');
    requests.push(name);
    if (files[name] === null) throw new TypeError('Failed to fetch');
    return files[name] === undefined ? new Response('Not found', { status: 404 }) : Response.json(files[name]);
  });
  const { counts } = await fetchPublication('https://media.test/one/manifest.json', new AbortController().signal);
  return { counts: Object.fromEntries(counts), requests };
}

test('a book whose manifest counts the positions of each item needs no other request', async () => {
  const manifest = makeManifest([makeLink('a', 3), makeLink('b', 1)]);
  const { counts, requests } = await openPublication({ 'manifest.json': manifest, '~positions.json': makePositions('a') });
  expect([counts, requests]).toEqual([{ a: 3, b: 1 }, ['manifest.json']]);
});

test.each([
  ['counts no positions', [makeLink('a'), makeLink('b')]],
  ['counts the positions of some items alone', [makeLink('a', 7), makeLink('b')]],
  ['has counts that are not numbers', [makeLink('a', 'many'), makeLink('b', [1])]],
  ['has a fraction and a zero as counts', [makeLink('a', 1.5), makeLink('b', 0)]],
])('the positions of a book whose manifest %s are read from their list', async (_, readingOrder) => {
  const files = { 'manifest.json': makeManifest(readingOrder), '~positions.json': makePositions('a', 'a', 'b') };
  const { counts, requests } = await openPublication(files);
  expect([counts, requests]).toEqual([{ a: 2, b: 1 }, ['manifest.json', '~positions.json']]);
});

test('a book with neither counts nor a list of positions opens without counts', async () => {
  expect((await openPublication({ 'manifest.json': makeManifest([makeLink('a')]) })).counts).toEqual({});
});

test('a book whose list of positions fails to load is not opened', async () => {
  const files = { 'manifest.json': makeManifest([makeLink('a')]), '~positions.json': null };
  await expect(openPublication(files)).rejects.toEqual({ kind: 'offline' });
});

test.each([
  ['a page list', [{ title: 'xii', href: 'a#xii' }], [{ title: 'xii', href: 'a#xii' }]],
  ['no page list', undefined, []],
  ['a page list that is not a list', 'many', []],
])('a manifest with %s opens', async (_, pageList, expected) => {
  const files = { 'manifest.json': { ...makeManifest([makeLink('a', 1)]), pageList } };
  vi.stubGlobal('fetch', async (url: string) => Response.json(files[url.split('/').at(-1) as 'manifest.json']));
  const { manifest } = await fetchPublication('https://media.test/one/', new AbortController().signal);
  expect(manifest.pageList).toEqual(expected);
});
