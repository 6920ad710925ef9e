import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue, demoFolder, titleFile, allItems, readDemoJson } from '../support/demo-files.ts';

const { titles, categories } = catalogue;
const countTitles = (medium: string) => titles.filter((title) => title.medium === medium).length;

describe('the demo catalogue', () => {
  it('has the promised number of titles in every medium', () => {
    expect(titles.length).toBeGreaterThanOrEqual(24);
    expect(countTitles('epub')).toBeGreaterThanOrEqual(8);
    expect(countTitles('pdf')).toBe(3);
    expect(countTitles('audio')).toBe(3);
    expect(countTitles('video')).toBe(2);
    expect(countTitles('interactive')).toBe(1);
  });

  it('has unique ids, slugs and names', () => {
    for (const key of ['id', 'slug', 'name'] as const) {
      expect(new Set(titles.map((title) => title[key])).size).toBe(titles.length);
    }
  });

  it('has one free title, one not for sale and one in two currencies', () => {
    expect(titles.filter(({ free }) => free).map(({ prices }) => prices[0]?.amount)).toEqual([0]);
    expect(titles.filter(({ forSale }) => !forSale)).toHaveLength(1);
    const several = titles.filter(({ prices }) => new Set(prices.map(({ currency }) => currency)).size > 1);
    expect(several).toHaveLength(1);
    for (const { prices, free } of titles) {
      expect(prices.length).toBeGreaterThan(0);
      if (!free) expect(prices.every(({ amount }) => amount > 0)).toBe(true);
    }
  });

  it('has valid and distinct ISBNs for most titles', () => {
    const numbers = titles.flatMap(({ isbn13 }) => (isbn13 ? [isbn13] : []));
    expect(numbers.length).toBeGreaterThan(titles.length / 2);
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const number of numbers) {
      expect(number).toMatch(/^9798\d{9}$/);
      const sum = [...number].reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
      expect(sum % 10).toBe(0);
    }
  });

  it('has each title in a leaf of a two-level category tree, and no empty leaf', () => {
    const roots = categories.filter(({ parentId }) => parentId === null).map(({ id }) => id);
    const leaves = categories.filter(({ parentId }) => parentId !== null);
    for (const { parentId } of leaves) expect(roots).toContain(parentId);
    const used = new Set(titles.flatMap((title) => title.categories));
    expect([...used].sort()).toEqual(leaves.map(({ id }) => id).sort());
  });

  it('relates each title to existing others', () => {
    const ids = new Set(titles.map(({ id }) => id));
    for (const { id, related } of titles) {
      expect(related.length).toBeGreaterThan(0);
      expect(related.every((other) => other !== id && ids.has(other))).toBe(true);
    }
  });
});

describe('the generated files', () => {
  it('are exactly the expected covers, parts, samples and captions', () => {
    for (const title of titles) {
      const parts = allItems(title);
      const named = [
        title.cover,
        title.coverSmall,
        ...parts.flatMap(({ file, captions }) => [file, ...(captions ?? []).map((track) => track.file)]),
      ];
      for (const file of named) expect(existsSync(titleFile(title, file)), `${title.slug}: ${file}`).toBe(true);
    }
    const folders = readdirSync(join(demoFolder, 'media')).filter((name) => name !== 'store');
    expect(folders.sort()).toEqual(titles.map(({ id }) => id).sort());
  });

  it('have covers of the stated size', () => {
    for (const title of titles) {
      expect(readJpegSize(readFileSync(titleFile(title, title.cover)))).toEqual([title.coverWidth, title.coverHeight]);
      expect(readJpegSize(readFileSync(titleFile(title, title.coverSmall)))).toEqual([240, 360]);
    }
  });

  it('are below 40 MiB in total', () => {
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

  it.each(stores.map((store): [string, Store] => [store.id, store]))('%s has its titles, its logo and its lists', (id, store) => {
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

/** Width and height from a JPEG's frame header. */
function readJpegSize(jpeg: Buffer): [number, number] {
  let at = 2;
  while (at < jpeg.length) {
    const marker = jpeg.readUInt16BE(at);
    if (marker >= 0xffc0 && marker <= 0xffc2) return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
    at += 2 + jpeg.readUInt16BE(at + 2);
  }
  throw new Error('The file is not a JPEG.');
}
