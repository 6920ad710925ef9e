import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf } from '../../machines/flows/registry.ts';

/** Where somebody chooses by a press, rather than types. */
const CHOICES = 'select[data-event],[type=checkbox][data-event],[type=radio][data-event]';

/**
 * What a painted page does before its program has come: it notes that somebody is signed in here, so that the way in is not offered to
 * them, and keeps presses of buttons and choices, each with how it stands, which the program makes good when it has taken over. What is
 * sent by a form leads to the next page by itself, unless something was pressed before that would be lost, and the program is still to come.
 */
export const FIRST_SCRIPT = [
  'try{if(localStorage.id_token||sessionStorage.id_token)document.documentElement.dataset.known=""}catch{}',
  'presses=[]',
  'keeping=new AbortController',
  'keepPress=e=>{let t=e.type,at=s=>e.target.closest(s),' +
    `choice=at("${CHOICES}"),` +
    'b=t=="click"?at("button[data-event]"):t=="change"?choice:presses[0]&&at("form[data-event]");' +
    '(b||choice)&&e.stopPropagation();' +
    'b&&(t=="submit"&&e.preventDefault(),presses.push([b,b.checked??b.value]))}',
  'for(let t of["click","change","submit"])addEventListener(t,keepPress,{capture:true,signal:keeping.signal})',
  'addEventListener("error",e=>e.target.type=="module"&&removeEventListener("submit",keepPress,true),true)',
].join(';');

/** Who is signed in is not offered the way in for a moment. */
export const FIRST_STYLES = '<style>[data-known] [data-visitors]{visibility:hidden}</style>';

/** Behind a painted screen, before it is shown: a list that is loaded again stands where it was left, if that much of it is painted. */
export const LAST_SCRIPT =
  'try{let{y,of}=history.state??{};of==location.pathname+location.search&&document.documentElement.scrollHeight-innerHeight>=y&&scrollTo(0,y)}catch{}';

const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** For the content policy. */
export const SCRIPT_HASHES = [FIRST_SCRIPT, LAST_SCRIPT].map(hashOf).join(' ');

type Chunk = { file: string; imports?: string[] };
type Manifest = Record<string, Chunk>;

/** The parts of the program that a first screen needs beside the page's own script, so that a browser fetches them all at once. */
export class PageParts {
  readonly #manifest: Manifest;
  readonly #files: ReadonlySet<string>;
  readonly #words: string;

  /** @param folder the build of the pages */
  constructor(folder: string) {
    const manifest = join(folder, '.vite', 'manifest.json');
    this.#manifest = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as Manifest) : {};
    this.#files = new Set(Object.values(this.#manifest).map(({ file }) => file));
    const own = [...this.#files].find((file) => file.endsWith('/locales.en.js'));
    this.#words = /^(.*\/)locales\.en\.js$/.exec(own ?? '')?.[1] ?? '';
  }

  /** Hints to fetch a flow's part and its words. */
  hintsFor(flow: string, language: string): string {
    const folder = folderOf(flow);
    const entry = ['ts', 'tsx'].map((end) => `src/flows/${folder}/index.${end}`).find((each) => each in this.#manifest);
    const scripts = entry === undefined ? [] : this.#withImports(entry);
    const names = ['locales', folder, ...(folder === 'landing' ? [] : ['late'])];
    // `/invalid` is the address of no flow, and has no words.
    const words = names.map((name) => `${this.#words}${name}.${language}.js`).filter((file) => this.#files.has(file));
    return [...scripts, ...words].map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`).join('');
  }

  #withImports(name: string, seen = new Set<string>()): Set<string> {
    const chunk = this.#manifest[name];
    if (chunk === undefined || name === 'index.html' || seen.has(chunk.file)) return seen;
    seen.add(chunk.file);
    for (const each of chunk.imports ?? []) this.#withImports(each, seen);
    return seen;
  }
}
