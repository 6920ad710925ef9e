import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'valibot';
import { parse as parseYaml } from 'yaml';
import { StoreProperties } from '../../machines/model/store/store.ts';
import { type KindName, propertyDefinitions } from '../../server/stores/store-properties.ts';

const root = new URL('../../', import.meta.url);
const specFolder = new URL('tests/e2e/properties/', root);

type Schema = { type: string; default?: unknown };
type Contract = { components: { schemas: { StoreProperties: { properties: Record<string, Schema> } } } };

const pageProperties = Object.entries(propertyDefinitions).filter(([, { isServerOnly }]) => !isServerOnly);
const names = pageProperties.map(([name]) => name).toSorted();

const toFieldName = (name: string): string => `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

/** Texts are their own default; other types have theirs as JSON. */
const isJson = (kind: KindName): boolean => kind === 'boolean' || kind === 'credits';
const parseDefault = (kind: KindName, kept: string | undefined): unknown =>
  kept !== undefined && isJson(kind) ? (JSON.parse(kept) as unknown) : kept;

/** The page's value of a property that has no default. */
const emptyValue = (kind: KindName): unknown => {
  if (kind === 'apps') return null;
  return ['countries', 'titleSorts', 'librarySorts'].includes(kind) ? [] : '';
};

const readListedNames = (text: string): string[] =>
  [...text.matchAll(/(?:flag|word|text|url): '([A-Z]\w+)'/g)].map(([, name]) => name ?? '');

/**
 * Properties named by browser tests: `test('ShelfName: …')`, or a list that tests are made from.
 */
const readTestedNames = async (): Promise<string[]> => {
  const files = (await readdir(specFolder)).filter((file) => file.endsWith('.spec.ts'));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, specFolder), 'utf8')));
  return texts.flatMap((text) => [
    ...[...text.matchAll(/\btest\(\s*'([A-Z]\w+): /g)].map(([, name]) => name ?? ''),
    ...readListedNames(text),
  ]);
};

test('the page has exactly the properties that the server gives, with their defaults', () => {
  // The page's configuration lists the server's calls and wallets, and whether payments charge.
  const {
    shelfId: _,
    additions: _additions,
    inTestMode: _inTestMode,
    wallets: _wallets,
    ...page
  } = parse(StoreProperties, { shelfId: 'a' });
  const server = pageProperties.map(([name, { kind, default: kept }]) => [
    toFieldName(name),
    parseDefault(kind, kept) ?? emptyValue(kind),
  ]);
  expect(page).toEqual(Object.fromEntries(server));
});

test('the contract has exactly the properties that the server gives, with their defaults', async () => {
  const contract = parseYaml(await readFile(new URL('openapi.yaml', root), 'utf8')) as Contract;
  const { ShelfId: _, ...named } = contract.components.schemas.StoreProperties.properties;
  const defaults = Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, schema.default]));
  // A store without a name has the page's.
  const server = pageProperties.map(([name, { kind, default: kept }]) => [
    name,
    name === 'ShelfName' ? undefined : parseDefault(kind, kept),
  ]);
  expect(defaults).toEqual(Object.fromEntries(server));
});

test('each property is covered by exactly one browser test', async () => {
  expect((await readTestedNames()).toSorted()).toEqual(names);
});
