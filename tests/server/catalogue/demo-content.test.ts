import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue, demoFolder, getTitleFilePath, listItems, readDemoJson } from '../support/demo-files.ts';

const { titles, categories } = catalogue;
const countTitles = (medium: string) => titles.filter((title) => title.medium === medium).length;

describe('the demo catalogue', () => {
  it('the demo catalogue has the promised number of titles in every medium', () => {
    expect(titles.length).toBeGreaterThanOrEqual(24);
    expect(countTitles('epub')).toBeGreaterThanOrEqual(8);
    expect(countTitles('pdf')).toBe(3);
    expect(countTitles('audio')).toBe(3);
    expect(countTitles('video')).toBe(2);
    expect(countTitles('interactive')).toBe(1);
  });

  it('each demo title has a unique id, slug and name', () => {
    for (const key of ['id', 'slug', 'name'] as const) {
      expect(new Set(titles.map((title) => title[key])).size).toBe(titles.length);
    }
  });

  it('the demo catalogue has one free title, one not for sale and one in two currencies', () => {
    expect(titles.filter(({ free }) => free).map(({ prices }) => prices[0]?.amount)).toEqual([0]);
    expect(titles.filter(({ forSale }) => !forSale)).toHaveLength(1);
    const titlesInTwoCurrencies = titles.filter(({ prices }) => new Set(prices.map(({ currency }) => currency)).size > 1);
    expect(titlesInTwoCurrencies).toHaveLength(1);
    for (const { prices, free } of titles) {
      expect(prices.length).toBeGreaterThan(0);
      if (!free) expect(prices.every(({ amount }) => amount > 0)).toBe(true);
    }
  });

  it('most demo titles have a valid and distinct ISBN', () => {
    const isbns = titles.flatMap(({ isbn13 }) => (isbn13 ? [isbn13] : []));
    expect(isbns.length).toBeGreaterThan(titles.length / 2);
    expect(new Set(isbns).size).toBe(isbns.length);
    for (const isbn of isbns) {
      expect(isbn).toMatch(/^9798\d{9}$/);
      const sum = [...isbn].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
      expect(sum % 10).toBe(0);
    }
  });

  it('each demo title is in a leaf of the two-level category tree, and no leaf is empty', () => {
    const roots = categories.filter(({ parentId }) => parentId === null).map(({ id }) => id);
    const leaves = categories.filter(({ parentId }) => parentId !== null);
    for (const { parentId } of leaves) expect(roots).toContain(parentId);
    const usedCategories = new Set(titles.flatMap((title) => title.categories));
    expect([...usedCategories].sort()).toEqual(leaves.map(({ id }) => id).sort());
  });

  it('each demo title is related to other existing titles', () => {
    const ids = new Set(titles.map(({ id }) => id));
    for (const { id, related } of titles) {
      expect(related.length).toBeGreaterThan(0);
      expect(related.every((other) => other !== id && ids.has(other))).toBe(true);
    }
  });
});

describe('the generated files', () => {
  it('every cover, item, sample and captions file of the catalogue exists, in one folder for each title', () => {
    for (const title of titles) {
      const items = listItems(title);
      const expectedFiles = [
        title.cover,
        title.coverSmall,
        ...items.flatMap(({ file, captions }) => [file, ...(captions ?? []).map((track) => track.file)]),
      ];
      for (const file of expectedFiles) expect(existsSync(getTitleFilePath(title, file)), `${title.slug}: ${file}`).toBe(true);
    }
    const folders = readdirSync(join(demoFolder, 'media')).filter((name) => name !== 'store');
    expect(folders.sort()).toEqual(titles.map(({ id }) => id).sort());
  });

  it('the covers have the size that the catalogue states', () => {
    for (const title of titles) {
      expect(readJpegSize(readFileSync(getTitleFilePath(title, title.cover)))).toEqual([title.coverWidth, title.coverHeight]);
      expect(readJpegSize(readFileSync(getTitleFilePath(title, title.coverSmall)))).toEqual([240, 360]);
    }
  });

  it('the generated files are below 40 MiB in total', () => {
    const files = readdirSync(demoFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
    expect(bytes).toBeLessThan(40 * 1024 * 1024);
  });
});

interface Store {
  id: string;
  titles: 'all' | string[];
  lists: { id: string; kind: string; titles: string[] }[];
  pages: { name: string; title: string; html: string; isPrivate?: boolean }[];
  properties: Record<string, unknown>;
}

describe('the demo stores', () => {
  const { stores } = readDemoJson<{ stores: Store[] }>('store.json');

  it.each(stores.map((store): [string, Store] => [store.id, store]))('%s has all that a store shows', (id, store) => {
    expect(store.properties['ShelfId']).toBe(id);
    const ids = titles.map((title) => title.id);
    if (store.titles !== 'all') expect(ids).toEqual(expect.arrayContaining(store.titles));
    for (const list of store.lists)
      expect(store.titles === 'all' ? ids : store.titles, list.id).toEqual(expect.arrayContaining(list.titles));
    expect(store.lists.some(({ kind }) => kind === 'titleset')).toBe(true);
    expect(store.pages.map(({ isPrivate }) => isPrivate === true)).toEqual(expect.arrayContaining([true, false]));
    for (const key of ['ShelfLogo', 'FavIcon']) {
      expect(existsSync(join(demoFolder, String(store.properties[key])))).toBe(true);
    }
    for (const key of ['AllTitlesSortOptions', 'MyLibrarySortOptions']) {
      const options: unknown = JSON.parse(String(store.properties[key]));
      expect(options).toContainEqual({ text: 'Title', value: 'title' });
    }
  });
});

/** Reads the width and height in pixels from a JPEG's frame header. */
function readJpegSize(jpeg: Buffer): [number, number] {
  let offset = 2;
  while (offset < jpeg.length) {
    const marker = jpeg.readUInt16BE(offset);
    if (marker >= 0xffc0 && marker <= 0xffc2) return [jpeg.readUInt16BE(offset + 7), jpeg.readUInt16BE(offset + 5)];
    offset += 2 + jpeg.readUInt16BE(offset + 2);
  }
  throw new Error(`The JPEG of ${jpeg.length} bytes has no frame header.`);
}
