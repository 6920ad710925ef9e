import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { flowMachines } from '../../machines/app/shop.ts';
import { flows, toFolderName } from '../../machines/flows/registry.ts';
import { defaultStage, adapters } from '../../tools/tours/adapters.ts';
import { exceptions } from '../e2e/tours/exceptions.ts';
import { getAddress, getFiredNames, planTours, listUncovered } from '../../tools/tours/plan.ts';
import { parsePath } from '../../machines/path-models/route-at.ts';
import { specRows } from '../../tools/spec/spec-rows.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';

const root = join(import.meta.dirname, '../..');

const listFolders = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

/** The names that a file exports, as far as they are known without running it. */
const listExports = (path: string): string[] => {
  const text = readFileSync(join(root, path), 'utf8');
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','));
  const constants = [...text.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
  return [...lists.map((each) => each.trim().split(' as ').at(-1) ?? ''), ...constants];
};

const findUncovered = (adapter: (typeof adapters)[number]): string[] =>
  listUncovered(adapter, planTours(adapter).flatMap(getFiredNames));

describe.each(flows)('the flow $name', ({ name, routes }) => {
  test('has a chunk with its machine and its screens', () => {
    const [index = ''] = globSync(`src/flows/${toFolderName(name)}/index.{ts,tsx}`, { cwd: root });
    expect(listExports(index)).toEqual(expect.arrayContaining(['flow', 'Screens']));
  });

  test('has a machine of its name, and path models that explore it', () => {
    expect(flowMachines[name].id).toBe(name);
    expect(modelsByMachine.get(name)?.map(({ machine }) => machine.id)).toContain(name);
  });

  test('has a stage on which generated walks start at an address of its own and take every transition', () => {
    const own = adapters.filter((adapter) => adapter.name === name);
    expect(own).toHaveLength(1);
    for (const adapter of own) {
      expect(adapter.models.map((model) => parsePath(getAddress(adapter, model)).flow)).toEqual(adapter.models.map(() => name));
      expect(findUncovered(adapter)).toEqual(Object.keys(exceptions[name] ?? {}));
    }
  });

  test('has an address with an example, and every example leads to it', () => {
    const examples = routes.flatMap((route) => route.examples);
    expect(examples.map((path) => [path, parsePath(path).flow])).toEqual(examples.map((path) => [path, name]));
    expect(routes.filter((route) => route.examples.length === 0)).toEqual([]);
    expect(routes.length).toBeGreaterThan(0);
  });

  test('fulfils existing rows of the specification, none of them pending', () => {
    const built = new Set(specRows.filter(({ waiting }) => waiting === undefined).map(({ id }) => id));
    expect(routes.flatMap(({ spec = [] }) => spec).filter((id) => !built.has(id))).toEqual([]);
  });
});

test.each(['src/flows', 'machines/path-models/flows'])('%s has a folder for each flow and no other', (path) => {
  expect(listFolders(path)).toEqual(flows.map(({ name }) => toFolderName(name)).toSorted());
});

test('no two flows share a name, and no two machines share a stage', () => {
  expect(new Set(flows.map(({ name }) => name)).size).toBe(flows.length);
  expect(adapters.map(({ name }) => name).toSorted()).toEqual([...modelsByMachine.keys()].toSorted());
});

test('a flow without a stage of its own starts at its model’s address, or at an example of its own', () => {
  const models = modelsByMachine.get('information') ?? [];
  const adapter = defaultStage('information', models);
  expect(models.map((model) => getAddress(adapter, model))).toEqual(['/about']);
  expect(findUncovered(adapter)).toEqual([]);
  const account = modelsByMachine.get('account') ?? [];
  expect(account.map((model) => getAddress(defaultStage('account', account), model))).toEqual(['/account']);
});
