import type { FramePart, RouteDefinition } from './flow-definition.ts';
import { languages } from '../model/store/language-names.ts';
import { resetPasswordPath, withQuery } from '../model/paths.ts';
import { HIDDEN_SECRET } from '../model/account/after-sign-in.ts';
import type { Route } from './route.ts';
import { hiddenWhileReading } from './hides.ts';
import { flows } from './registry.ts';

/** One shared array, so that React sees routes that hide nothing as equal. */
const noParts: FramePart[] = [];

/** The route of the page for a store that does not exist, which the app itself shows. */
const invalidRoute: RouteDefinition = { pattern: '/invalid', hides: [...hiddenWhileReading, 'topBar'], examples: ['/invalid'] };

/** Compiles a pattern to a regular expression with a named group for each parameter. */
const compilePattern = (pattern: string): RegExp => {
  const source = pattern
    .replace(/\/\{(\w+)(?::([^}?]+))?\?\}/g, (_, name: string, choice = '[^/]*') => `(?:/(?<${name}>${choice}))?`)
    .replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name: string, choice = '[^/]+') => `(?<${name}>${choice})`);
  return new RegExp(`^${source}$`);
};

type Row = RouteDefinition & { flow: Route['flow']; reads?: readonly string[] };

/** Every route of the shop in the order of the registry: the first match wins. */
export const routes: readonly Row[] = [
  ...flows.flatMap(({ name: flow, reads, routes: flowRoutes }) =>
    flowRoutes.map((route) => ({ ...route, flow, ...(reads && { reads }) })),
  ),
  { ...invalidRoute, flow: 'invalid' },
];

const compiledRoutes = routes.map((row) => ({ ...row, expression: compilePattern(row.pattern) }));

/** The path prefixes of a pattern: `/{of:title|cart}/gift` has `/title/gift` and `/cart/gift`. */
export const expandPrefixes = (pattern: string): string[] => {
  const [, start = '', choice, rest = ''] = /^([^{]*)\{\w+:([\w|]+)\}(.*)/.exec(pattern) ?? [];
  return choice === undefined
    ? [pattern.replace(/\/?\{\w+(?::[^}?]+)?\?\}.*$/, '').replace(/\{.*$/, '')]
    : choice.split('|').flatMap((word) => expandPrefixes(start + word + rest));
};

const safeDecode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Matches every path below a prefix that a secret follows, such as `/redeem/`. */
const secretPathPattern = new RegExp(
  `^(${routes
    .filter(({ pattern }) => pattern.includes('{secret}'))
    .flatMap(({ pattern }) => expandPrefixes(pattern))
    .join('|')})(.+)`,
  'i',
);

/** Matches the names of query parameters that may contain a secret or personal data. */
const secretKeyPattern = /code|token|secret|state|pass|pin$|card|phone|mail|name/i;

const withoutSecretQuery = (search: string, keepsReturn: boolean): string =>
  search.replace(/([?&])([^=&?]*)=([^&?]*)/g, (parameter, separator: string, key: string, value: string) => {
    const name = safeDecode(key);
    if (name === 'return' && keepsReturn) {
      return `${separator}return=${encodeURIComponent(withoutSecrets(safeDecode(value.replaceAll('+', ' ')), false))}`;
    }
    return name === 'return' || secretKeyPattern.test(name) ? `${separator}${key}=${HIDDEN_SECRET}` : parameter;
  });

/** Removes secrets from the path and query of a URL, and from those of its `return` parameter. */
const withoutSecrets = (address: string, keepsReturn = true): string => {
  const [path = '', ...queries] = address.split('?');
  const cleanPath = path.replace(
    secretPathPattern,
    (_, start: string, rest: string) => start + rest.replace(/[^/]+/g, HIDDEN_SECRET),
  );
  return queries.length === 0 ? cleanPath : cleanPath + withoutSecretQuery(`?${queries.join('?')}`, keepsReturn);
};

/** The path of the page that requests a missing secret. */
const getSecretRequestPath = (path: string): string => {
  const start = path.replace(secretPathPattern, '$1').replace(/\/$/, '');
  return start.toLowerCase() === '/resetpassword' ? '/forgotpassword' : start;
};

/**
 * Removes the placeholders of secrets from a URL, for use when the secrets are no longer known. The
 * `return` parameter is unchanged.
 */
export const stripSecretMarks = (address: string): string => {
  const [path = '', search = ''] = address.split(/\?(.*)/s, 2);
  const isMarked = secretPathPattern.test(path) && path.split('/').some((part) => safeDecode(part) === HIDDEN_SECRET);
  const keptQuery = search.split('&').filter((part) => {
    const [key = '', value = ''] = part.split(/=(.*)/s, 2).map(safeDecode);
    return !secretKeyPattern.test(key) || value !== HIDDEN_SECRET;
  });
  return withQuery(isMarked ? getSecretRequestPath(path) : path, keptQuery.join('&'));
};

const legacyRedirects: Record<string, (query: URLSearchParams) => string> = {
  '/subscription.aspx': (query) => {
    const names = ['code', 'planid'].filter((name) => query.has(name));
    const keptValues = Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']));
    return withQuery('/subscription', new URLSearchParams(keptValues).toString());
  },
  '/resetpassword.aspx': (query) => (query.get('token') ? resetPasswordPath(query.get('token') ?? '') : '/forgotpassword'),
};

/** Whether the value of `lang` is one of the shop's languages; any other value has no effect. */
const isLocale = (value: string): boolean => (languages as readonly string[]).includes(value.toLowerCase());

/** Drops query parameters that the flow does not read; placeholders of removed secrets stay. */
const keepKnownParams = (search: string, reads: readonly string[]): string => {
  const isKnown = (part: string): boolean => {
    const [name = '', value = ''] = part.split(/=(.*)/s, 2).map(safeDecode);
    if (name === 'lang') return isLocale(value);
    return name === '' || name === 'return' || reads.includes(name) || secretKeyPattern.test(name);
  };
  return search.split('&').filter(isKnown).join('&');
};

type Address = { pathname: string; search: string };

/** The path and query that replace a URL of the legacy shop; null for other URLs. */
export const findRedirect = ({ pathname, search }: Address): string | null =>
  legacyRedirects[pathname]?.(new URLSearchParams(search)) ?? null;

const stripQuery = (address: string): string => address.replace(/\?.*$/s, '').replace(/(?<!\/)\/+$/, '') || '/';

/**
 * The English name of the page at a URL; undefined if no route matches, or if only the page's flow
 * knows the name.
 */
export const findRouteName = (address: string): string | undefined => {
  const path = stripQuery(address);
  return compiledRoutes.find(({ expression }) => expression.test(path))?.name;
};

/**
 * The page's name in the current language. The English message catalogue has no page names, so the
 * English name is returned as it is. Undefined as for `findRouteName`.
 */
export const translateRouteName = (i18n: PageTranslator, address: string): string | undefined => {
  const name = findRouteName(address);
  return name === undefined || i18n.locale === 'en' ? name : i18n._(name);
};
type PageTranslator = { locale: string; _: (id: string) => string };

/** Whether a secret was removed from the route's URL. */
export const hasHiddenSecret = ({ path }: Pick<Route, 'path'>): boolean => path.includes(HIDDEN_SECRET);

/**
 * Parses a URL of this origin to a route, with secrets removed; `notFound` if no pattern matches.
 */
export const parseRoute = (address: Address): Route => {
  const cleanAddress = withoutSecrets(findRedirect(address) ?? address.pathname + address.search);
  const [originalPath = '', search = ''] = cleanAddress.split(/\?(.*)/s, 2);
  const path = stripQuery(cleanAddress);
  for (const compiledRoute of compiledRoutes) {
    const { expression, flow, reads, access = 'public', keys = [], query: impliedQuery, hides = noParts, fills } = compiledRoute;
    const match = expression.exec(path);
    if (!match) continue;
    const keptSearch = reads === undefined ? search : keepKnownParams(search, [...reads, ...keys]);
    const searchValues = Object.fromEntries(new URLSearchParams(keptSearch));
    const namedGroups = Object.entries(match.groups ?? {}).filter(([, part]) => part !== undefined && part !== '');
    const params = Object.fromEntries(namedGroups.map(([name, part]) => [name, safeDecode(part)]));
    const query = { ...impliedQuery, ...searchValues };
    for (const key of keys) {
      const value = query[key];
      if (value === undefined) continue;
      params[key] = value;
      delete query[key];
    }
    return {
      flow,
      path: keptSearch === search ? cleanAddress : withQuery(originalPath, keptSearch),
      params,
      query,
      access,
      hides,
      ...(fills && { fills }),
    };
  }
  const keptSearch = keepKnownParams(search, []);
  return {
    flow: 'notFound',
    path: keptSearch === search ? cleanAddress : withQuery(originalPath, keptSearch),
    params: {},
    query: {},
    access: 'public',
    hides: noParts,
  };
};
