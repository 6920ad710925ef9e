import { languageNames } from '../../machines/model/store/language-names.ts';
import { categoryPath, withQuery } from '../../machines/model/paths.ts';
import { type CategoryRow, listCategories, nameIn } from '../catalogue/category-tree.ts';
import type { LanguageCode } from '../base/language.ts';
import type { Services } from '../services.ts';
import type { Store } from '../stores/stores.ts';
import { element, type Markup } from '../base/xml/write.ts';
import { partsOf } from './head/head-request.ts';
import { type Language, languages } from './head/words.ts';

/** The page's store, address, language and list. */
type PaintedFor = {
  services: Services;
  store: Store;
  /** what the shop knows of the address */
  known: string;
  language: LanguageCode;
  /** The cursor behind the titles that are drawn of a list; null where there are no more. */
  next: string | null;
};

/** Characters of a category tree that comes whole; of a longer one only the top and what is around the page's own category do. */
const LONGEST_TREE = 8_000;

const STYLES = [
  'noscript{display:block;padding:1.5rem clamp(1rem,2.5vw,2rem) 2.5rem}',
  'noscript>*{margin-bottom:1rem}',
  'noscript nav{padding-top:1rem;border-top:1px solid var(--brand-line)}',
  'noscript nav>ul{columns:14rem}',
  'noscript nav>ul>li{break-inside:avoid}',
  'noscript ul ul{padding-left:1rem}',
  'noscript>:last-child>ul{display:flex;flex-wrap:wrap;column-gap:1.25rem}',
  'noscript a{display:inline-block;padding:.35rem 0;text-decoration:underline;text-underline-offset:.2em}',
  'noscript [aria-current]{font-weight:700}',
  'noscript [rel=next]{padding:.6rem 1.2rem;border:1px solid;border-radius:.5rem;font-weight:700;text-decoration:none}',
].join('');

/** What marks a link that chooses a language for the pages that follow, too, as the shop's own choice does by a script. */
export const KEEP_PARAMETER = 'keep';

const listOfLinks = (items: Markup[]): Markup => element('ul', items);

const queryOf = (address: string): URLSearchParams => new URLSearchParams(address.split(/\?(.*)/s, 2)[1] ?? '');

/** The same address with another value in its query. It goes without its path, which somebody may have made look like a host. */
function sameWith(known: string, name: string, value: string): string {
  const query = queryOf(known);
  query.set(name, value);
  return `?${query.toString()}`;
}

function languageLinks(known: string, { code: current, words }: Language): Markup {
  const items = languages.map(({ code }) => {
    const attributes = {
      href: `${sameWith(known, 'lang', code)}&${KEEP_PARAMETER}`,
      rel: 'nofollow',
      lang: code,
      hreflang: code,
    };
    return element('li', [
      element('a', languageNames[code], { ...attributes, 'aria-current': code === current ? 'true' : undefined }),
    ]);
  });
  return element('nav', [listOfLinks(items)], { 'aria-label': words.language });
}

/** The ids of a category and of all that it lies in. */
function withAllAbove(rows: CategoryRow[], id: string | undefined): Set<string> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set<string>();
  for (let row = byId.get(id ?? ''); row && !ids.has(row.id); row = byId.get(row.parent_id ?? '')) ids.add(row.id);
  return ids;
}

type Tree = { rows: Map<string | null, CategoryRow[]>; isOpen: (id: string) => boolean; link: (row: CategoryRow) => Markup };

function branch(tree: Tree, above: string | null): Markup[] {
  const rows = tree.rows.get(above) ?? [];
  if (rows.length === 0) return [];
  const items = rows.map((row) => element('li', [tree.link(row), ...(tree.isOpen(row.id) ? branch(tree, row.id) : [])]));
  return [listOfLinks(items)];
}

/** The store's categories as a nested list; nothing in a store without any. */
async function categoryLinks({ services, store, known }: PaintedFor, { code, words }: Language): Promise<Markup[]> {
  const all = await services.cache.of(store, 'categories', () => listCategories(services.db, store.id));
  const [path = ''] = known.split('?');
  const lang = queryOf(known).get('lang') ?? '';
  const link = (row: CategoryRow): Markup => {
    const name = nameIn(row, { language: code });
    const own = categoryPath({ id: row.id, name });
    return element('a', name, { href: withQuery(own, { lang }), 'aria-current': own === path ? 'page' : undefined });
  };
  const tree = { rows: Map.groupBy(all, (row) => row.parent_id), link };
  const whole = branch({ ...tree, isOpen: () => true }, null);
  const isLong = whole.some(({ text }) => text.length > LONGEST_TREE);
  const open = withAllAbove(all, partsOf(path).at(-1));
  const list = isLong ? branch({ ...tree, isOpen: (id) => open.has(id) }, null) : whole;
  return list.length === 0 ? [] : [element('nav', list, { 'aria-label': words.categories })];
}

function moreTitles({ next, known }: PaintedFor, { words }: Language): Markup[] {
  if (next === null) return [];
  return [element('p', [element('a', words.moreTitles, { href: sameWith(known, 'after', next), rel: 'next' })])];
}

/**
 * What a painted page shows where no script runs: what needs scripts, and by links what is otherwise pressed: the rest of a list, the
 * store's categories and the shop's languages.
 */
export async function withoutScripts(page: PaintedFor): Promise<string> {
  const language = languages.find(({ code }) => code === page.language) ?? languages[0];
  const content = [
    ...moreTitles(page, language),
    element('p', language.words.withoutScripts),
    ...(await categoryLinks(page, language)),
    languageLinks(page.known, language),
  ];
  return `<noscript><style>${STYLES}</style>${content.map(({ text }) => text).join('')}</noscript>`;
}
