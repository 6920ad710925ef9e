import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { flowMachines } from '../../machines/app/shop.ts';
import { flows, toFolderName } from '../../machines/flows/registry.ts';
import { createDefaultAdapter, adapters } from '../../tools/tours/adapters.ts';
import { exceptions } from '../e2e/tours/exceptions.ts';
import { getStartPath, getFiredNames, planTours, listUncovered } from '../../tools/tours/plan.ts';
import { parsePath } from '../../machines/path-models/route-at.ts';
import { specRows } from '../../tools/spec/spec-rows.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';

const root = join(import.meta.dirname, '../..');

const listFolders = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

/** The names that a file exports as constants or in lists. */
const listExports = (path: string): string[] => {
  const text = readFileSync(join(root, path), 'utf8');
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','));
  const constants = [...text.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
  return [...lists.map((exportedName) => exportedName.trim().split(' as ').at(-1) ?? ''), ...constants];
};

const findUncovered = (adapter: (typeof adapters)[number]): string[] =>
  listUncovered(adapter, planTours(adapter).flatMap(getFiredNames));

describe.each(flows)('the flow $name', ({ name, routes }) => {
  test('the flow’s chunk exports its machine and its screens', () => {
    const [index = ''] = globSync(`src/flows/${toFolderName(name)}/index.{ts,tsx}`, { cwd: root });
    expect(listExports(index)).toEqual(expect.arrayContaining(['flow', 'Screens']));
  });

  test('the flow’s machine has the flow’s name, and path models explore it', () => {
    expect(flowMachines[name].id).toBe(name);
    expect(modelsByMachine.get(name)?.map(({ machine }) => machine.id)).toContain(name);
  });

  test('the flow’s generated walks start at addresses of the flow, and take every transition', () => {
    const ownAdapters = adapters.filter((adapter) => adapter.name === name);
    expect(ownAdapters).toHaveLength(1);
    for (const adapter of ownAdapters) {
      expect(adapter.models.map((model) => parsePath(getStartPath(adapter, model)).flow)).toEqual(adapter.models.map(() => name));
      expect(findUncovered(adapter)).toEqual(Object.keys(exceptions[name] ?? {}));
    }
  });

  test('the flow has an address with an example, and every example leads to the flow', () => {
    const examples = routes.flatMap((route) => route.examples);
    expect(examples.map((path) => [path, parsePath(path).flow])).toEqual(examples.map((path) => [path, name]));
    expect(routes.filter((route) => route.examples.length === 0)).toEqual([]);
    expect(routes.length).toBeGreaterThan(0);
  });

  test('the flow fulfils existing rows of the specification, none of them pending', () => {
    const implementedIds = new Set(specRows.filter(({ waiting }) => waiting === undefined).map(({ id }) => id));
    expect(routes.flatMap(({ spec = [] }) => spec).filter((id) => !implementedIds.has(id))).toEqual([]);
  });
});

test.each(['src/flows', 'machines/path-models/flows'])('%s has a folder for each flow and no other', (path) => {
  expect(listFolders(path)).toEqual(flows.map(({ name }) => toFolderName(name)).toSorted());
});

test('no two flows share a name, and each explored machine has one browser adapter', () => {
  expect(new Set(flows.map(({ name }) => name)).size).toBe(flows.length);
  expect(adapters.map(({ name }) => name).toSorted()).toEqual([...modelsByMachine.keys()].toSorted());
});

test('a flow without a browser adapter of its own is walked from its model’s address, or from its example', () => {
  const models = modelsByMachine.get('information') ?? [];
  const adapter = createDefaultAdapter('information', models);
  expect(models.map((model) => getStartPath(adapter, model))).toEqual(['/about']);
  expect(findUncovered(adapter)).toEqual([]);
  const account = modelsByMachine.get('account') ?? [];
  expect(account.map((model) => getStartPath(createDefaultAdapter('account', account), model))).toEqual(['/account']);
});
