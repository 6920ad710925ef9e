import { join } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { changed, type Mutant } from './mutant.ts';

const root = join(import.meta.dirname, '../..');
/** What `own-tests.ts` asks for. */
const mutant = JSON.parse(process.env['COLOPHON_MUTANT'] ?? 'null') as Mutant | null;

const plugin: Plugin = {
  name: 'colophon-mutant',
  enforce: 'pre',
  transform: (source, id) => (mutant !== null && id === join(root, mutant.file) ? changed(source, mutant) : null),
};

/** The project's own configuration, with one machine changed. */
export default defineConfig({
  ...base,
  root,
  // Its cache on the disk would give the changed machine to the next run.
  test: {
    ...base.test,
    fsModuleCache: false,
    projects: base.test?.projects?.map((project) => Object.assign(project, { plugins: [plugin] })) ?? [],
  },
});
