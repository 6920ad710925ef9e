import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'valibot';
import { parse as parseYaml } from 'yaml';
import { StoreProperties } from '../../machines/model/store/store.ts';
import { type KindName, storeProperties } from '../../server/stores/store-properties.ts';

const root = new URL('../../', import.meta.url);
const specs = new URL('tests/e2e/properties/', root);

type Schema = { type: string; default?: unknown };
type Contract = { components: { schemas: { StoreProperties: { properties: Record<string, Schema> } } } };

const ofPage = Object.entries(storeProperties).filter(([, { isServers }]) => !isServers);
const names = ofPage.map(([name]) => name).toSorted();

const fieldOf = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

/** Texts are their own default; other types keep theirs as JSON. */
const isJson = (kind: KindName): boolean => kind === 'boolean' || kind === 'credits';
const defaultOf = (kind: KindName, kept: string | undefined): unknown =>
  kept !== undefined && isJson(kind) ? (JSON.parse(kept) as unknown) : kept;

/** The page's value of a property that has no default. */
const emptyOf = (kind: KindName): unknown => {
  if (kind === 'apps') return null;
  return ['countries', 'titleSorts', 'librarySorts'].includes(kind) ? [] : '';
};

const listed = (text: string): string[] =>
  [...text.matchAll(/(?:flag|word|text|url): '([A-Z]\w+)'/g)].map(([, name]) => name ?? '');

/** The properties that the browser's tests are named by: `test('ShelfName: …')`, or a list that a test is made from. */
const tested = async (): Promise<string[]> => {
  const files = (await readdir(specs)).filter((file) => file.endsWith('.spec.ts'));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, specs), 'utf8')));
  return texts.flatMap((text) => [
    ...[...text.matchAll(/\btest\(\s*'([A-Z]\w+): /g)].map(([, name]) => name ?? ''),
    ...listed(text),
  ]);
};

test('the page has every property that the server gives, with its default, and no other', () => {
  // The configuration of the page names the calls of a server, and whether payments charge.
  const { shelfId: _, additions: _additions, inTestMode: _inTestMode, ...page } = parse(StoreProperties, { shelfId: 'a' });
  const server = ofPage.map(([name, { kind, default: kept }]) => [fieldOf(name), defaultOf(kind, kept) ?? emptyOf(kind)]);
  expect(page).toEqual(Object.fromEntries(server));
});

test('the contract has every property that the server gives, with its default, and no other', async () => {
  const contract = parseYaml(await readFile(new URL('openapi.yaml', root), 'utf8')) as Contract;
  const { ShelfId: _, ...named } = contract.components.schemas.StoreProperties.properties;
  const defaults = Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, schema.default]));
  // The name of a store without one is the page's.
  const server = ofPage.map(([name, { kind, default: kept }]) => [
    name,
    name === 'ShelfName' ? undefined : defaultOf(kind, kept),
  ]);
  expect(defaults).toEqual(Object.fromEntries(server));
});

test('each property is seen in the browser by exactly one test', async () => {
  expect((await tested()).toSorted()).toEqual(names);
});
