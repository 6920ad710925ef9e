import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The paths of the licence texts in a folder. */
const findTexts = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^licen[cs]e/i.test(name)).map((name) => join(folder, name));

/** The files of packages that the build copies as they are, such as fonts and WebAssembly. */
const listCopiedFiles = (bundle: Rolldown.OutputBundle): string[] =>
  Object.values(bundle)
    .flatMap((file) => (file.type === 'asset' ? file.originalFileNames : []))
    .filter((path) => path.includes('node_modules/'));

const listModules = (bundle: Rolldown.OutputBundle): string[] =>
  Object.values(bundle)
    .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    .filter((path) => path.startsWith('/') && path.includes('node_modules/'));

/**
 * Emits the licence texts that Vite’s list of bundled packages lacks: of copied files, of packages
 * without a text, and of other projects’ modules in a `vendor` folder. The texts that no package
 * has are in `tools/build/licenses/<package or module>.txt`.
 */
export const licenses = (root: string): Plugin => ({
  name: 'colophon:licenses',
  apply: 'build',
  async generateBundle(_, bundle) {
    const emit = async (fileName: string, path: string): Promise<void> => {
      const source = await readFile(path).catch(() => this.error(`${fileName} needs a licence text: ${path} does not exist.`));
      this.emitFile({ type: 'asset', fileName: `assets/licenses/${fileName}`, source });
    };
    const emitOwnText = (name: string): Promise<void> => emit(`${name}.txt`, join(root, 'tools/build/licenses', `${name}.txt`));
    const modules = listModules(bundle);
    const copiedFiles = listCopiedFiles(bundle).map((path) => join(root, path));
    const packages = new Set([...modules, ...copiedFiles].map((path) => packageFolder.exec(path)?.[0] ?? path));
    for (const folder of packages) if ((await findTexts(folder)).length === 0) await emitOwnText(basename(folder));
    for (const name of new Set(modules.filter((path) => path.includes('/vendor/')).map((path) => basename(path))))
      await emitOwnText(name);
    for (const folder of new Set(copiedFiles.map((path) => dirname(path))))
      for (const path of await findTexts(folder)) await emit(path.replace(/^.*node_modules\//, ''), path);
  },
});
