import { join } from 'node:path';
import type { Plugin } from 'vite';
import { EARLY_SCRIPTS } from '../../machines/model/store/page-template.ts';

/**
 * Builds each script that runs before the app as a file of its own, which the server inlines into
 * its rendered pages; it must have no imports or exports.
 */
export const earlyScripts = (root: string): Plugin => ({
  name: 'colophon-early-scripts',
  apply: 'build',
  buildStart() {
    for (const source of Object.values(EARLY_SCRIPTS)) this.emitFile({ type: 'chunk', id: join(root, source) });
  },
  generateBundle(_, bundle) {
    for (const source of Object.values(EARLY_SCRIPTS)) {
      const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId === join(root, source));
      if (chunk?.type !== 'chunk') this.error(`${source} was not built as a file of its own.`);
      const moduleBindings = [...chunk.imports, ...chunk.dynamicImports, ...chunk.exports];
      if (moduleBindings.length > 0) this.error(`${source} has imports or exports: ${moduleBindings.join(', ')}.`);
      // Either of these would end the inline element early.
      if (/<\/script|<!--/i.test(chunk.code)) this.error(`${source} contains a text that ends a script element.`);
    }
  },
});
