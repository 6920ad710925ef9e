import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { flowMachines } from '../../machines/app/shop.ts';
import { flows, folderOf } from '../../machines/flows/registry.ts';
import { defaultStage, stages } from '../../tools/tours/stages.ts';
import { exceptions } from '../e2e/tours/exceptions.ts';
import { addressOf, firedBy, planTours, uncoveredBy } from '../../tools/tours/plan.ts';
import { routeAt } from '../../machines/path-models/route-at.ts';
import { specRows } from '../../tools/spec/spec-rows.ts';
import { startsOf } from '../../tools/path-models/models.ts';

const root = join(import.meta.dirname, '../..');

const foldersIn = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

/** The names under which a file exports, as far as they can be told without running it. */
const exportsOf = (path: string): string[] => {
  const text = readFileSync(join(root, path), 'utf8');
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) => list.split(','));
  const constants = [...text.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
  return [...lists.map((each) => each.trim().split(' as ').at(-1) ?? ''), ...constants];
};

const leftOutBy = (stage: (typeof stages)[number]): string[] => uncoveredBy(stage, planTours(stage).flatMap(firedBy));

describe.each(flows)('the flow $name', ({ name, routes }) => {
  test('has a part of the program with its machine and its screens', () => {
    const [index = ''] = globSync(`src/flows/${folderOf(name)}/index.{ts,tsx}`, { cwd: root });
    expect(exportsOf(index)).toEqual(expect.arrayContaining(['flow', 'Screens']));
  });

  test('has a machine of its name, and path models that explore it', () => {
    expect(flowMachines[name].id).toBe(name);
    expect(startsOf.get(name)?.map(({ machine }) => machine.id)).toContain(name);
  });

  test('has a stage on which its tours begin at an address of its own and take its every transition', () => {
    const own = stages.filter((stage) => stage.name === name);
    expect(own).toHaveLength(1);
    for (const stage of own) {
      expect(stage.models.map((model) => routeAt(addressOf(stage, model)).flow)).toEqual(stage.models.map(() => name));
      expect(leftOutBy(stage)).toEqual(Object.keys(exceptions[name] ?? {}));
    }
  });

  test('has an address with an example, and every example leads to it', () => {
    const examples = routes.flatMap((route) => route.examples);
    expect(examples.map((path) => [path, routeAt(path).flow])).toEqual(examples.map((path) => [path, name]));
    expect(routes.filter((route) => route.examples.length === 0)).toEqual([]);
    expect(routes.length).toBeGreaterThan(0);
  });

  test('fulfils rows of the specification that are there and wait for nothing', () => {
    const built = new Set(specRows.filter(({ waiting }) => waiting === undefined).map(({ id }) => id));
    expect(routes.flatMap(({ spec = [] }) => spec).filter((id) => !built.has(id))).toEqual([]);
  });
});

test.each(['src/flows', 'machines/path-models/flows'])('%s has a folder for each flow and no other', (path) => {
  expect(foldersIn(path)).toEqual(flows.map(({ name }) => folderOf(name)).toSorted());
});

test('no two flows have a name, and no two machines a stage', () => {
  expect(new Set(flows.map(({ name }) => name)).size).toBe(flows.length);
  expect(stages.map(({ name }) => name).toSorted()).toEqual([...startsOf.keys()].toSorted());
});

test('a flow without a stage of its own begins at its model’s address, or at an example of its own', () => {
  const models = startsOf.get('information') ?? [];
  const stage = defaultStage('information', models);
  expect(models.map((model) => addressOf(stage, model))).toEqual(['/about']);
  expect(leftOutBy(stage)).toEqual([]);
  const account = startsOf.get('account') ?? [];
  expect(account.map((model) => addressOf(defaultStage('account', account), model))).toEqual(['/account']);
});
