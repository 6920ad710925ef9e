import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(join(root, path), 'utf8'));

test('docs/dependencies.md has a row for each dependency, with its purpose and licence', async () => {
  const page = await readFile(join(root, 'docs/dependencies.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (\S+) \| \S.* \| (\S.*) \|$/gm)].map(([, name, licence]) => [name, licence]);
  const { dependencies, devDependencies } = (await readJson('package.json')) as Record<string, Record<string, string>>;
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const packages = await Promise.all(
    names.map(async (name) => (await readJson(`node_modules/${name}/package.json`)) as { license: string }),
  );
  expect(rows.filter(([name]) => name !== 'Package')).toEqual(names.map((name, index) => [name, packages[index]?.license]));
});
