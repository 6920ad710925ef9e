import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toFolderName } from '../../machines/flows/registry.ts';
import { EARLY_SCRIPTS, type EarlyScript, type PageTemplate, readTemplate } from '../../machines/model/store/page-template.ts';

type Chunk = { file: string; imports?: string[] };
type Manifest = Record<string, Chunk>;

const toCspHash = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** Start of the comment that Vite appends to a file's code. */
const SOURCE_MAP = '\n//# sourceMappingURL=';

/** A built script for an inline element: in a function, so that it declares no globals. */
const wrapScript = (code: string): string => `(()=>{${code.split(SOURCE_MAP)[0]?.trim()}})()`;

/** The built pages: their template, and the files of the program by Vite's manifest. */
export class PageParts {
  readonly folder: string;
  readonly template: PageTemplate;
  /** Inline scripts of server-rendered pages, which run before the program. */
  readonly early: Readonly<Record<EarlyScript, string>>;
  readonly #manifest: Manifest;

  private constructor(folder: string) {
    this.folder = folder;
    this.template = readTemplate(readFileSync(join(folder, 'index.html'), 'utf8'));
    const manifest = join(folder, '.vite', 'manifest.json');
    if (!existsSync(manifest)) throw new Error(`${manifest} is missing. Build the pages again.`);
    this.#manifest = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
    const readScript = (source: string): string => {
      const file = this.#manifest[source]?.file;
      if (file === undefined) throw new Error(`${folder}: the build has no ${source}. Build the pages again.`);
      return wrapScript(readFileSync(join(folder, file), 'utf8'));
    };
    this.early = { head: readScript(EARLY_SCRIPTS.head), screenEnd: readScript(EARLY_SCRIPTS.screenEnd) };
  }

  /**
   * @param folder the build; undefined leaves pages to another server
   * @returns undefined where there is no build
   * @throws Error that names the missing part of the build
   */
  static open(folder: string | undefined): PageParts | undefined {
    return folder !== undefined && existsSync(join(folder, 'index.html')) ? new PageParts(folder) : undefined;
  }

  /** The hashes of the inline scripts, for the content policy. */
  get scriptHashes(): string[] {
    return Object.values(this.early).map(toCspHash);
  }

  /**
   * Preload hints for the chunks that a first screen needs besides the program: its flow and
   * translations.
   */
  renderPreloadHints(flow: string, language: string): string {
    const folder = toFolderName(flow);
    const entry = ['ts', 'tsx']
      .map((extension) => `src/flows/${folder}/index.${extension}`)
      .find((each) => each in this.#manifest);
    const scripts = entry === undefined ? [] : this.#collectChunks(entry);
    // `/invalid` belongs to no flow, and has no translations.
    const translations = [
      `src/locales/${language}.po`,
      `src/flows/${folder}/words/${language}.po`,
      ...(folder === 'landing' ? [] : [`src/views/lazy/words/${language}.po`]),
    ].flatMap((source) => this.#manifest[source]?.file ?? []);
    return [...scripts, ...translations].map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`).join('');
  }

  #collectChunks(name: string, seen = new Set<string>()): Set<string> {
    const chunk = this.#manifest[name];
    if (chunk === undefined || name === 'index.html' || seen.has(chunk.file)) return seen;
    seen.add(chunk.file);
    for (const importName of chunk.imports ?? []) this.#collectChunks(importName, seen);
    return seen;
  }
}
