import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

/** This project's own folder. */
export const projectRoot = resolve(import.meta.dirname, '../../..');

const configFiles = [
  'tsconfig.base.json',
  'tsconfig.json',
  'machines/tsconfig.json',
  'src/tsconfig.json',
  'server/tsconfig.json',
  'tests/tsconfig.json',
  'lingui.config.ts',
  'machines/model/store/language-names.ts',
  'machines/model/store/page-name-context.ts',
  'tools/build/extract-page-names.ts',
  'package.json',
];

/** Writes files, by their paths, into a temporary folder; it is removed when the test ends. */
export async function plantFiles(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'colophon-tree-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

/**
 * Plants a small project in a temporary folder, with the real configuration and packages; it is
 * removed when the test ends.
 */
export async function plantTree(files: Record<string, string>): Promise<string> {
  const configs = await Promise.all(
    configFiles.map(async (path) => [path, await readFile(join(projectRoot, path), 'utf8')] as const),
  );
  const root = await plantFiles({ ...Object.fromEntries(configs), ...files });
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  return root;
}
