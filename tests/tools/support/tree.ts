import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
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

async function writeTreeFile(root: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), content);
}

/**
 * Plants a small project in a temporary folder, with the real configuration and packages; it is
 * removed when the test ends.
 */
export async function plantTree(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'colophon-tree-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const path of configFiles) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await copyFile(join(projectRoot, path), join(root, path));
  }
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  for (const [path, content] of Object.entries(files)) await writeTreeFile(root, path, content);
  return root;
}
