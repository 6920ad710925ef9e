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

/** Whether the default of a property of this kind is stored as JSON, not as text. */
const isJson = (kind: KindName): boolean => kind === 'boolean' || kind === 'credits';
const parseDefault = (kind: KindName, storedDefault: string | undefined): unknown =>
  storedDefault !== undefined && isJson(kind) ? (JSON.parse(storedDefault) as unknown) : storedDefault;

/** The app's value of a property that has no default. */
const getEmptyValue = (kind: KindName): unknown => {
  if (kind === 'apps') return null;
  return ['countries', 'titleSorts', 'librarySorts'].includes(kind) ? [] : '';
};

/** Names of the properties in browser tests, by their rows of the specification. */
const readTestedNames = async (): Promise<string[]> => {
  const files = (await readdir(specFolder)).filter((file) => file.endsWith('.spec.ts'));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, specFolder), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/\[S3\.property\/(\w+)\]/g)].map(([, name]) => name ?? ''));
};

test('the app has exactly the properties that the server sends, with their defaults', () => {
  // Fields of the app's configuration are left out: the server's calls, wallets and test mode.
  const {
    shelfId: _,
    additions: _additions,
    inTestMode: _inTestMode,
    wallets: _wallets,
    ...appDefaults
  } = parse(StoreProperties, { shelfId: 'a' });
  const serverDefaults = pageProperties.map(([name, { kind, default: storedDefault }]) => [
    toFieldName(name),
    parseDefault(kind, storedDefault) ?? getEmptyValue(kind),
  ]);
  expect(appDefaults).toEqual(Object.fromEntries(serverDefaults));
});

test('the contract has exactly the properties that the server sends, with their defaults', async () => {
  const contract = parseYaml(await readFile(new URL('openapi.yaml', root), 'utf8')) as Contract;
  const { ShelfId: _, ...contractProperties } = contract.components.schemas.StoreProperties.properties;
  const defaults = Object.fromEntries(Object.entries(contractProperties).map(([name, schema]) => [name, schema.default]));
  // The contract has no default for the name: a store without a name has the app's.
  const serverDefaults = pageProperties.map(([name, { kind, default: storedDefault }]) => [
    name,
    name === 'ShelfName' ? undefined : parseDefault(kind, storedDefault),
  ]);
  expect(defaults).toEqual(Object.fromEntries(serverDefaults));
});

test('each property is covered by exactly one browser test', async () => {
  expect((await readTestedNames()).toSorted()).toEqual(names);
});
