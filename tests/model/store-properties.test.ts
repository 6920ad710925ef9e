import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { StoreProperties } from '../../machines/model/store.ts';

const root = new URL('../../', import.meta.url);
const specs = new URL('tests/e2e/properties/', root);

type Contract = { components: { schemas: { StoreProperties: { properties: object } } } };

/** The rows of the table for people. */
const told = async (): Promise<string[]> => {
  const text = await readFile(new URL('docs/store-properties.md', root), 'utf8');
  return [...text.matchAll(/^\| ([A-Z]\w+) \| (?!Type|Expected)/gm)].map(([, name]) => name ?? '');
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

test('the page knows every property of the table, and no other', async () => {
  const known = Object.keys(StoreProperties.entries).map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  // The configuration of the page names the calls of a server, and whether payments charge.
  const ofConfiguration = ['Additions', 'InTestMode'];
  const ofStore = known.filter((name) => name !== 'ShelfId' && !ofConfiguration.includes(name));
  expect(ofStore.toSorted()).toEqual((await told()).toSorted());
});

test('the contract names every property of the table, and no other', async () => {
  const contract = parse(await readFile(new URL('openapi.yaml', root), 'utf8')) as Contract;
  const named = Object.keys(contract.components.schemas.StoreProperties.properties);
  expect(named.filter((name) => name !== 'ShelfId').toSorted()).toEqual((await told()).toSorted());
});

test('each property is seen in the browser by exactly one test', async () => {
  expect((await tested()).toSorted()).toEqual((await told()).toSorted());
});
