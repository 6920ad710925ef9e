import { languageNames } from '../../machines/model/store/language-names.ts';
import { categoryPath, withQuery } from '../../machines/model/paths.ts';
import { type CategoryRow, listCategories, getCategoryName } from '../catalogue/category-tree.ts';
import type { LanguageCode } from '../base/language.ts';
import type { Services } from '../services.ts';
import type { Store } from '../stores/stores.ts';
import { renderElement, type Markup } from '../base/xml/write.ts';
import { splitPath } from './head/head-request.ts';
import { type HeadLanguage, languages } from './head/words.ts';

/** The page's store, address, language and list. */
type PageContext = {
  services: Services;
  store: Store;
  /** the known parts of the address */
  knownPath: string;
  language: LanguageCode;
  /** The cursor after the titles of a list that are shown; null where there are no more. */
  next: string | null;
};

/**
 * Maximum characters of a category tree that is sent whole; of a larger one, only the top level and
 * the surroundings of the page's own category are sent.
 */
const MAX_TREE_CHARS = 8_000;

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

/**
 * Marks a link that also sets the language of the pages that follow, as the shop's own choice does
 * by a script.
 */
export const KEEP_PARAMETER = 'keep';

const renderLinkList = (items: Markup[]): Markup => renderElement('ul', items);

const parseQuery = (address: string): URLSearchParams => new URLSearchParams(address.split(/\?(.*)/s, 2)[1] ?? '');

/**
 * The query of the page's URL with another value. Only the query is returned, since a crafted path
 * could look like a host.
 */
function replaceQueryValue(knownPath: string, name: string, value: string): string {
  const query = parseQuery(knownPath);
  query.set(name, value);
  return `?${query.toString()}`;
}

function renderLanguageLinks(knownPath: string, { code: current, words }: HeadLanguage): Markup {
  const items = languages.map(({ code }) => {
    const attributes = {
      href: `${replaceQueryValue(knownPath, 'lang', code)}&${KEEP_PARAMETER}`,
      rel: 'nofollow',
      lang: code,
      hreflang: code,
    };
    return renderElement('li', [
      renderElement('a', languageNames[code], { ...attributes, 'aria-current': code === current ? 'true' : undefined }),
    ]);
  });
  return renderElement('nav', [renderLinkList(items)], { 'aria-label': words.language });
}

/** The ids of a category and all its ancestors. */
function collectWithAncestors(rows: CategoryRow[], id: string | undefined): Set<string> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ids = new Set<string>();
  for (let row = byId.get(id ?? ''); row && !ids.has(row.id); row = byId.get(row.parent_id ?? '')) ids.add(row.id);
  return ids;
}

type Tree = { rows: Map<string | null, CategoryRow[]>; isOpen: (id: string) => boolean; link: (row: CategoryRow) => Markup };

function renderBranch(tree: Tree, parentId: string | null): Markup[] {
  const rows = tree.rows.get(parentId) ?? [];
  if (rows.length === 0) return [];
  const items = rows.map((row) =>
    renderElement('li', [tree.link(row), ...(tree.isOpen(row.id) ? renderBranch(tree, row.id) : [])]),
  );
  return [renderLinkList(items)];
}

/** The store's categories as a nested list; empty in a store without any. */
async function renderCategoryLinks(
  { services, store, knownPath }: PageContext,
  { code, words }: HeadLanguage,
): Promise<Markup[]> {
  const categories = await services.cache.getOrCompute(store, 'categories', () => listCategories(services.db, store.id));
  const [path = ''] = knownPath.split('?');
  const lang = parseQuery(knownPath).get('lang') ?? '';
  const renderLink = (row: CategoryRow): Markup => {
    const name = getCategoryName(row, { language: code });
    const linkPath = categoryPath({ id: row.id, name });
    return renderElement('a', name, {
      href: withQuery(linkPath, { lang }),
      'aria-current': linkPath === path ? 'page' : undefined,
    });
  };
  const tree = { rows: Map.groupBy(categories, (row) => row.parent_id), link: renderLink };
  const fullTree = renderBranch({ ...tree, isOpen: () => true }, null);
  const isLong = fullTree.some(({ text }) => text.length > MAX_TREE_CHARS);
  const openIds = collectWithAncestors(categories, splitPath(path).at(-1));
  const list = isLong ? renderBranch({ ...tree, isOpen: (id) => openIds.has(id) }, null) : fullTree;
  return list.length === 0 ? [] : [renderElement('nav', list, { 'aria-label': words.categories })];
}

function renderMoreTitles({ next, knownPath }: PageContext, { words }: HeadLanguage): Markup[] {
  if (next === null) return [];
  return [
    renderElement('p', [
      renderElement('a', words.moreTitles, { href: replaceQueryValue(knownPath, 'after', next), rel: 'next' }),
    ]),
  ];
}

/**
 * The part of a server-rendered page that is shown without scripts: a note on what needs scripts,
 * and links for what is otherwise a control: the rest of a list, the store's categories and the
 * shop's languages.
 */
export async function renderWithoutScripts(page: PageContext): Promise<string> {
  const language = languages.find(({ code }) => code === page.language) ?? languages[0];
  const content = [
    ...renderMoreTitles(page, language),
    renderElement('p', language.words.withoutScripts),
    ...(await renderCategoryLinks(page, language)),
    renderLanguageLinks(page.knownPath, language),
  ];
  return `<noscript><style>${STYLES}</style>${content.map(({ text }) => text).join('')}</noscript>`;
}
