import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Builds every translation as a file by the name of its folder and language, `<folder>/<flow>.<language>.js`: so the first script need not
 * list them, five for each flow. `folder` is below the folder of the scripts.
 */
export const wordsByName = (root: string, folder: string): Plugin => ({
  name: 'colophon-words-by-name',
  apply: 'build',
  buildStart() {
    const without = globSync('src/flows/*/', { cwd: root }).filter((flow) => !existsSync(join(root, flow, 'words')));
    if (without.length > 0) this.error(`${without.join(', ')}: no translations; npm run messages makes them`);
    for (const file of globSync('src/{locales,flows/*/words,views/late/words}/*.po', { cwd: root })) {
      const [, owner, language] = /([^/]+)\/(?:words\/)?(\w\w)\.po$/.exec(file) ?? [];
      const fileName = `assets/${folder}/${owner}.${language}.js`;
      this.emitFile({ type: 'chunk', id: join(root, file), fileName, preserveSignature: 'strict' });
    }
  },
});
