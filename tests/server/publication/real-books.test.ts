import { basename } from 'node:path';
import { expect, test } from 'vitest';
import type { WebPublication } from '../../../server/publication/web-publication.ts';
import { readResource } from '../../../server/publication/resource.ts';
import { openBook } from './support/books.ts';
import { realFilePath, listRealFiles, hasRealFiles } from './support/real-books.ts';

test.each(listRealFiles('epub'))('$name has a manifest, contents and positions that agree', async ({ file }) => {
  const { publication, manifest, positions } = await openBook(file);
  expect(manifest.metadata.title).not.toBe('');
  expect(['ltr', 'rtl']).toContain(manifest.metadata.readingProgression);
  expect(manifest.readingOrder.length).toBeGreaterThan(0);
  expect(manifest.toc.length).toBeGreaterThan(0);

  const hrefs = manifest.readingOrder.map(({ href }) => href);
  expect([...new Set(positions.positions.map(({ href }) => href))]).toEqual(hrefs);
  const listed = hrefs.map((href) => positions.positions.filter((position) => position.href === href).length);
  expect(manifest.readingOrder.map(({ properties }) => properties?.positions)).toEqual(listed);
  const totals = positions.positions.map(({ locations }) => locations.totalProgression);
  expect(totals).toEqual(totals.toSorted((a, b) => a - b));
  expect(totals[0]).toBe(0);
  expect(positions.positions.map(({ locations }) => locations.position)).toEqual(totals.map((_, index) => index + 1));

  for (const link of manifest.readingOrder) {
    const found = await readResource(publication, decodeURIComponent(link.href));
    expect(found, link.href).not.toBeNull();
    expect(found && 'body' in found ? found.size : 0, link.href).toBeGreaterThan(0);
  }
});

const facts: Record<string, (book: { manifest: WebPublication }) => unknown> = {
  'regime-anticancer-arabic.epub': ({ manifest }) => manifest.metadata.readingProgression,
  'kusamakura-preview.epub': ({ manifest }) => [manifest.metadata.readingProgression, manifest.metadata.language],
  'haruko-jpeg.epub': ({ manifest }) => [manifest.metadata.layout, manifest.metadata.readingProgression],
  'page-blanche.epub': ({ manifest }) => manifest.metadata.layout,
  'se-moby-dick.epub': ({ manifest }) => [manifest.metadata.title, manifest.metadata.author[0]?.name],
  'childrens-literature.epub': ({ manifest }) => [
    (manifest.pageList ?? []).length > 0,
    manifest.toc.some(({ children }) => children),
  ],
};

test.skipIf(!hasRealFiles)('the metadata of packages reaches the manifest', async () => {
  const found: Record<string, unknown> = {};
  for (const [name, fact] of Object.entries(facts)) found[name] = fact(await openBook(realFilePath('epub', name)));
  expect(found).toEqual({
    'regime-anticancer-arabic.epub': 'rtl',
    'kusamakura-preview.epub': ['rtl', ['ja-jp']],
    'haruko-jpeg.epub': ['fixed', 'rtl'],
    'page-blanche.epub': 'fixed',
    'se-moby-dick.epub': ['Moby Dick', 'Herman Melville'],
    'childrens-literature.epub': [true, true],
  });
});

test.skipIf(!hasRealFiles)('obfuscated fonts are sent as fonts', async () => {
  const { publication } = await openBook(realFilePath('epub', 'w3c-ocf-font_obfuscation.epub'));
  expect(publication.encryption.size).toBeGreaterThan(0);
  for (const name of publication.encryption.keys()) {
    const found = await readResource(publication, name);
    const body = found !== null && 'body' in found ? found.body : [];
    const chunks: Buffer[] = [];
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
    const head = Buffer.concat(chunks).subarray(0, 4).toString('latin1');
    expect(['OTTO', 'wOFF', 'true', '\x00\x01\x00\x00'], basename(name)).toContain(head);
  }
});
