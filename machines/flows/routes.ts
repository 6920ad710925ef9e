import type { FramePart, RouteDefinition } from './flow-definition.ts';
import { languages } from '../model/store/language-names.ts';
import { resetPasswordPath, withQuery } from '../model/paths.ts';
import { HIDDEN_SECRET } from '../model/account/after-sign-in.ts';
import type { Route } from './route.ts';
import { hiddenWhileReading } from './hides.ts';
import { flows } from './registry.ts';

/** One shared array, so that React sees routes that hide nothing as equal. */
const noParts: FramePart[] = [];

/** The page for a store that does not exist; the app itself shows it. */
const invalidRoute: RouteDefinition = { pattern: '/invalid', hides: [...hiddenWhileReading, 'topBar'], examples: ['/invalid'] };

/** A pattern as a regular expression with a named group for each parameter. */
const compilePattern = (pattern: string): RegExp => {
  const source = pattern
    .replace(/\/\{(\w+)(?::([^}?]+))?\?\}/g, (_, name: string, choice = '[^/]*') => `(?:/(?<${name}>${choice}))?`)
    .replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name: string, choice = '[^/]+') => `(?<${name}>${choice})`);
  return new RegExp(`^${source}$`);
};

type Row = RouteDefinition & { flow: Route['flow']; reads?: readonly string[] };

/** Every address of the shop in the order of the registry: the first match wins. */
export const routes: readonly Row[] = [
  ...flows.flatMap(({ name: flow, reads, routes: own }) => own.map((route) => ({ ...route, flow, ...(reads && { reads }) }))),
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

/** Addresses that end with a secret, or would if they were complete. */
const secretPath = new RegExp(
  `^(${routes
    .filter(({ pattern }) => pattern.includes('{secret}'))
    .flatMap(({ pattern }) => expandPrefixes(pattern))
    .join('|')})(.+)`,
  'i',
);

/** Query parameters that hold a secret or personal data. */
const secretKey = /code|token|secret|state|pass|pin$|card|phone|mail|name/i;

const withoutSecretQuery = (search: string, keepsReturn: boolean): string =>
  search.replace(/([?&])([^=&?]*)=([^&?]*)/g, (whole, sign: string, key: string, value: string) => {
    const name = safeDecode(key);
    if (name === 'return' && keepsReturn) {
      return `${sign}return=${encodeURIComponent(withoutSecrets(safeDecode(value.replaceAll('+', ' ')), false))}`;
    }
    return name === 'return' || secretKey.test(name) ? `${sign}${key}=${HIDDEN_SECRET}` : whole;
  });

/** An address without secrets in its path and query, nor in those of its `return` address. */
const withoutSecrets = (address: string, keepsReturn = true): string => {
  const [path = '', ...queries] = address.split('?');
  const clear = path.replace(secretPath, (_, start: string, rest: string) => start + rest.replace(/[^/]+/g, HIDDEN_SECRET));
  return queries.length === 0 ? clear : clear + withoutSecretQuery(`?${queries.join('?')}`, keepsReturn);
};

/** The page that asks for the secret that is missing here. */
const withoutSecretPage = (path: string): string => {
  const start = path.replace(secretPath, '$1').replace(/\/$/, '');
  return start.toLowerCase() === '/resetpassword' ? '/forgotpassword' : start;
};

/**
 * An address without the placeholders of its own secrets, for when these are no longer known; its
 * `return` address is unchanged.
 */
export const stripSecretMarks = (address: string): string => {
  const [path = '', search = ''] = address.split(/\?(.*)/s, 2);
  const isMarked = secretPath.test(path) && path.split('/').some((part) => safeDecode(part) === HIDDEN_SECRET);
  const kept = search.split('&').filter((part) => {
    const [key = '', value = ''] = part.split(/=(.*)/s, 2).map(safeDecode);
    return !secretKey.test(key) || value !== HIDDEN_SECRET;
  });
  return withQuery(isMarked ? withoutSecretPage(path) : path, kept.join('&'));
};

const legacyRedirects: Record<string, (query: URLSearchParams) => string> = {
  '/subscription.aspx': (query) => {
    const names = ['code', 'planid'].filter((name) => query.has(name));
    const kept = Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']));
    return withQuery('/subscription', new URLSearchParams(kept).toString());
  },
  '/resetpassword.aspx': (query) => (query.get('token') ? resetPasswordPath(query.get('token') ?? '') : '/forgotpassword'),
};

/** Whether the value of `lang` is one of the shop's languages; any other value has no effect. */
const isLocale = (value: string): boolean => (languages as readonly string[]).includes(value.toLowerCase());

/** A query without parameters that the flow does not read; placeholders of removed secrets stay. */
const keepKnownParams = (search: string, reads: readonly string[]): string => {
  const isKnown = (part: string): boolean => {
    const [name = '', value = ''] = part.split(/=(.*)/s, 2).map(safeDecode);
    if (name === 'lang') return isLocale(value);
    return name === '' || name === 'return' || reads.includes(name) || secretKey.test(name);
  };
  return search.split('&').filter(isKnown).join('&');
};

type Address = { pathname: string; search: string };

/** The new address for one of the legacy shop's, or null. */
export const findRedirect = ({ pathname, search }: Address): string | null =>
  legacyRedirects[pathname]?.(new URLSearchParams(search)) ?? null;

const stripQuery = (whole: string): string => whole.replace(/\?.*$/s, '').replace(/(?<!\/)\/+$/, '') || '/';

/** The English name of the page at an address; undefined if only its flow can know it. */
export const findRouteName = (address: string): string | undefined => {
  const path = stripQuery(address);
  return compiledRoutes.find(({ expression }) => expression.test(path))?.name;
};

/**
 * The page's name in the current language. The English catalogue has no page names, so English
 * returns the name itself.
 */
export const translateRouteName = (i18n: PageTranslator, address: string): string | undefined => {
  const name = findRouteName(address);
  return name === undefined || i18n.locale === 'en' ? name : i18n._(name);
};
type PageTranslator = { locale: string; _: (id: string) => string };

/** Whether a secret was removed from the address. */
export const hasHiddenSecret = ({ path }: Pick<Route, 'path'>): boolean => path.includes(HIDDEN_SECRET);

/**
 * The route of an address of this origin, with secrets removed; `notFound` if no pattern matches.
 */
export const parseRoute = (address: Address): Route => {
  const whole = withoutSecrets(findRedirect(address) ?? address.pathname + address.search);
  const [start = '', search = ''] = whole.split(/\?(.*)/s, 2);
  const path = stripQuery(whole);
  for (const { expression, flow, reads, access = 'public', keys = [], query: meant, hides = noParts, fills } of compiledRoutes) {
    const match = expression.exec(path);
    if (!match) continue;
    const asked = reads === undefined ? search : keepKnownParams(search, [...reads, ...keys]);
    const all = Object.fromEntries(new URLSearchParams(asked));
    const named = Object.entries(match.groups ?? {}).filter(([, part]) => part !== undefined && part !== '');
    const params = Object.fromEntries(named.map(([name, part]) => [name, safeDecode(part)]));
    const query = { ...meant, ...all };
    for (const key of keys) {
      const value = query[key];
      if (value === undefined) continue;
      params[key] = value;
      delete query[key];
    }
    return {
      flow,
      path: asked === search ? whole : withQuery(start, asked),
      params,
      query,
      access,
      hides,
      ...(fills && { fills }),
    };
  }
  const asked = keepKnownParams(search, []);
  return {
    flow: 'notFound',
    path: asked === search ? whole : withQuery(start, asked),
    params: {},
    query: {},
    access: 'public',
    hides: noParts,
  };
};
