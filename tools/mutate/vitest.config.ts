import { join } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';
import { applyMutant, type Mutant } from './mutant.ts';

const root = join(import.meta.dirname, '../..');
/** The mutation passed by `find-failed-test.ts`. */
const mutant = JSON.parse(process.env['COLOPHON_MUTANT'] ?? 'null') as Mutant | null;

const plugin: Plugin = {
  name: 'colophon-mutant',
  enforce: 'pre',
  transform: (source, id) => (mutant !== null && id === join(root, mutant.file) ? applyMutant(source, mutant) : null),
};

/** The project's own configuration, with one machine mutated. */
export default defineConfig({
  ...base,
  root,
  // The cache on disk would pass the mutated machine to the next run.
  test: {
    ...base.test,
    fsModuleCache: false,
    projects: base.test?.projects?.map((project) => Object.assign(project, { plugins: [plugin] })) ?? [],
  },
});
