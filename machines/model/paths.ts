/**
 * The paths of the shop's pages: machines navigate to them, views link to them, and the server
 * lists them. Those of purchases, which a first visit does not load, are in `purchase-paths.ts`.
 */

/**
 * Encodes a text for a URL. Lone surrogates, which cannot be encoded, are replaced, so that a name
 * that was truncated inside a pair still gets a URL.
 */
const encodeSegment = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));

/** One path segment with its slash; empty for an empty text. */
const toSegment = (text: string): string => (text === '' ? '' : `/${encodeSegment(text)}`);

/** A query, as text or as values; empty values are omitted. */
type Query = string | Readonly<Record<string, string>>;

export const withQuery = (path: string, query: Query): string => {
  const text =
    typeof query === 'string'
      ? query
      : Object.entries(query)
          .filter(([, value]) => value !== '')
          .map(([key, value]) => `${encodeSegment(key)}=${encodeSegment(value)}`)
          .join('&');
  return text === '' ? path : `${path}?${text}`;
};

/**
 * A name as the last part of a path: spaces and slashes become dashes, at most 60 characters.
 */
export const toSlug = (name: string): string =>
  [...name.trim().replaceAll(/[\s/]+/g, '-')]
    .slice(0, 60)
    .join('')
    .replaceAll(/^-+|-+$/g, '');

/** The path of a title's page; the name is only for human readers. */
export const titlePath = (id: string, name = ''): string => `/id:${encodeSegment(id)}${toSegment(toSlug(name))}`;

/** The path of the list of all titles of a kind. */
export const listPath = (kind: string): string => toSegment(kind);

/**
 * The path of a category's list, of one kind of title or of all kinds. The category's name is for
 * human readers, its id identifies it.
 */
export const categoryPath = ({ id, name }: { id: string; name: string }, kind = 'all'): string =>
  `${listPath(kind)}${toSegment(toSlug(name.toLowerCase()))}${toSegment(id)}`;

/** The path of the list of a catalogue or a title set. */
export const collectionPath = (kind: string, id: string): string => `/${kind}/titles${toSegment(id)}`;

/** The path of the list of all titles, newest first. */
export const newestPath = '/all/new';

/** Lists of all titles with their own path, and the query of `/all` that each implies. */
export const shelfQueries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [newestPath]: { sort: 'newest' },
  '/all/popular': { sort: 'popular' },
  '/all/free': { free: 'true' },
};

/**
 * The path of a list with a query. A path such as `/all/free` implies parts of the query
 * (`shelfQueries`): the path is kept while the query has these parts, which are then omitted.
 */
export const toShortListPath = (path: string, query: ReadonlyMap<string, string>): string => {
  const impliedQuery = new Map(Object.entries(shelfQueries[path] ?? {}));
  const isImplied = [...impliedQuery].every(([key, value]) => query.get(key) === value);
  const remainingQuery = isImplied ? [...query].filter(([key]) => !impliedQuery.has(key)) : query;
  return withQuery(isImplied ? path : '/all', Object.fromEntries(remainingQuery));
};

/** The path of the list of an author's titles. */
export const authorPath = (author: string): string => withQuery(listPath('all'), { author });

/** The path of the list of a series, in its order. */
export const seriesPath = (series: string): string => withQuery(listPath('all'), { series });

/** The path of the list of the titles that a plan includes. */
export const planPath = (plan: string): string => withQuery(listPath('all'), { plan });

export const searchPath = (search: string): string => withQuery(listPath('all'), { search });

/** The path of the account page, at one of its sections. */
export const accountPath = (part: 'credits' | 'ways'): string => withQuery('/account', { part });

export const viewerPath = (instanceId: string): string => withQuery('/viewer', { instanceid: instanceId });

/** The path of the viewer with a title's sample, which is identified by the title's id. */
export const samplePath = (titleId: string): string => withQuery('/viewer', { instanceid: titleId, sample: '1' });

export const libraryPath = (kind = 'all', sort = ''): string =>
  withQuery(`/mylibrary${kind === 'all' ? '' : listPath(kind)}`, { sort });

export const signInPath = (query: Query = ''): string => withQuery('/signin', query);

export const signUpPath = (query: Query = ''): string => withQuery('/signup', query);

export const forgotPasswordPath = '/forgotpassword';

export const resetPasswordPath = (token: string): string => `/resetpassword${toSegment(token)}`;

/** The path of the callback page of identity providers. */
export const providerReturnPath = '/auth0loginCallback';

/** The path of a public content page of the store. */
export const pagePath = (name: string): string => `/pages/public${toSegment(name)}`;

export const campaignPath = (id: string): string => `/campaign${toSegment(id)}`;
