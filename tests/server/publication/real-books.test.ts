import { basename } from 'node:path';
import { expect, test } from 'vitest';
import type { WebPublication } from '../../../server/publication/web-publication.ts';
import { readResource } from '../../../server/publication/resource.ts';
import { openBook } from './support/books.ts';
import { getRealFilePath, listRealFiles, hasRealFiles } from './support/real-books.ts';

test.each(listRealFiles('epub'))('the manifest, contents and positions of $name agree', async ({ file }) => {
  const { publication, manifest, positions } = await openBook(file);
  expect(manifest.metadata.title).not.toBe('');
  expect(['ltr', 'rtl']).toContain(manifest.metadata.readingProgression);
  expect(manifest.readingOrder.length).toBeGreaterThan(0);
  expect(manifest.toc.length).toBeGreaterThan(0);

  const hrefs = manifest.readingOrder.map(({ href }) => href);
  expect([...new Set(positions.positions.map(({ href }) => href))]).toEqual(hrefs);
  const positionCounts = hrefs.map((href) => positions.positions.filter((position) => position.href === href).length);
  expect(manifest.readingOrder.map(({ properties }) => properties?.positions)).toEqual(positionCounts);
  const progressions = positions.positions.map(({ locations }) => locations.totalProgression);
  expect(progressions).toEqual(progressions.toSorted((a, b) => a - b));
  expect(progressions[0]).toBe(0);
  expect(positions.positions.map(({ locations }) => locations.position)).toEqual(progressions.map((_, index) => index + 1));

  for (const link of manifest.readingOrder) {
    const resource = await readResource(publication, decodeURIComponent(link.href));
    expect(resource, link.href).not.toBeNull();
    expect(resource && 'body' in resource ? resource.size : 0, link.href).toBeGreaterThan(0);
  }
});

const factReaders: Record<string, (book: { manifest: WebPublication }) => unknown> = {
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

test.skipIf(!hasRealFiles)('the manifest contains the metadata of the package', async () => {
  const facts: Record<string, unknown> = {};
  for (const [name, readFact] of Object.entries(factReaders))
    facts[name] = readFact(await openBook(getRealFilePath('epub', name)));
  expect(facts).toEqual({
    'regime-anticancer-arabic.epub': 'rtl',
    'kusamakura-preview.epub': ['rtl', ['ja-jp']],
    'haruko-jpeg.epub': ['fixed', 'rtl'],
    'page-blanche.epub': 'fixed',
    'se-moby-dick.epub': ['Moby Dick', 'Herman Melville'],
    'childrens-literature.epub': [true, true],
  });
});

test.skipIf(!hasRealFiles)('obfuscated fonts are sent decoded', async () => {
  const { publication } = await openBook(getRealFilePath('epub', 'w3c-ocf-font_obfuscation.epub'));
  expect(publication.encryption.size).toBeGreaterThan(0);
  for (const name of publication.encryption.keys()) {
    const resource = await readResource(publication, name);
    const body = resource !== null && 'body' in resource ? resource.body : [];
    const chunks: Buffer[] = [];
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
    const signature = Buffer.concat(chunks).subarray(0, 4).toString('latin1');
    expect(['OTTO', 'wOFF', 'true', '\x00\x01\x00\x00'], basename(name)).toContain(signature);
  }
});
