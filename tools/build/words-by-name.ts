import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { languages } from '../../machines/model/store/language-names.ts';

/**
 * Builds every translation as a file with a predictable name, `<folder>/<flow>.<language>.js`, so
 * that the first script need not list one for each flow and language. `folder` is below the folder
 * of the scripts.
 */
export const translationChunks = (root: string, folder: string): Plugin => ({
  name: 'colophon-words-by-name',
  apply: 'build',
  buildStart() {
    const flows = globSync('src/flows/*/', { cwd: root });
    const folders = ['src/locales', 'src/views/lazy/words', ...flows.map((flow) => join(flow, 'words'))];
    const catalogues = folders.flatMap((words) =>
      languages.map((language) => ({ words, language, file: join(words, `${language}.po`) })),
    );
    const missingCatalogues = catalogues.filter(({ file }) => !existsSync(join(root, file)));
    if (missingCatalogues.length > 0)
      this.error(`npm run messages creates what is missing: ${missingCatalogues.map(({ file }) => file).join(', ')}`);
    for (const { words, language, file } of catalogues) {
      const owner = basename(words === 'src/locales' ? words : dirname(words));
      const fileName = `assets/${folder}/${owner}.${language}.js`;
      this.emitFile({ type: 'chunk', id: join(root, file), fileName, preserveSignature: 'strict' });
    }
  },
});
