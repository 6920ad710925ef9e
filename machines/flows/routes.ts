import type { FramePart, RouteDefinition } from './flow-definition.ts';
import { languages } from '../model/store/language-names.ts';
import { resetPasswordPath, withQuery } from '../model/paths.ts';
import { hidden } from '../model/account/after-sign-in.ts';
import type { Route } from './route.ts';
import { whileReading } from './hides.ts';
import { flows } from './registry.ts';

/** One shared array: for React, routes that hide nothing are then equal. */
const nothing: FramePart[] = [];

/** For a store that does not exist; the app itself shows this page. */
const invalid: RouteDefinition = { pattern: '/invalid', hides: [...whileReading, 'topBar'], examples: ['/invalid'] };

/** A pattern as a regular expression with a named group for each part. */
const compiled = (pattern: string): RegExp => {
  const source = pattern
    .replace(/\/\{(\w+)(?::([^}?]+))?\?\}/g, (_, name: string, choice = '[^/]*') => `(?:/(?<${name}>${choice}))?`)
    .replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name: string, choice = '[^/]+') => `(?<${name}>${choice})`);
  return new RegExp(`^${source}$`);
};

type Row = RouteDefinition & { flow: Route['flow']; reads?: readonly string[] };

/** Every address of the shop in the order of the registry: the first that matches counts. */
export const routes: readonly Row[] = [
  ...flows.flatMap(({ name: flow, reads, routes: own }) => own.map((route) => ({ ...route, flow, ...(reads && { reads }) }))),
  { ...invalid, flow: 'invalid' },
];

const table = routes.map((row) => ({ ...row, expression: compiled(row.pattern) }));

/** How addresses of a pattern begin: `/{of:title|cart}/gift` with `/title/gift` or `/cart/gift`. */
export const prefixesOf = (pattern: string): string[] => {
  const [, start = '', choice, rest = ''] = /^([^{]*)\{\w+:([\w|]+)\}(.*)/.exec(pattern) ?? [];
  return choice === undefined
    ? [pattern.replace(/\/?\{\w+(?::[^}?]+)?\?\}.*$/, '').replace(/\{.*$/, '')]
    : choice.split('|').flatMap((word) => prefixesOf(start + word + rest));
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Addresses that end in a secret, or would if they were whole. */
const secretPath = new RegExp(
  `^(${routes
    .filter(({ pattern }) => pattern.includes('{secret}'))
    .flatMap(({ pattern }) => prefixesOf(pattern))
    .join('|')})(.+)`,
  'i',
);

/** Query parameters that hold a secret or name somebody. */
const secretKey = /code|token|secret|state|pass|pin$|card|phone|mail|name/i;

const withoutSecretQuery = (search: string, keepsReturn: boolean): string =>
  search.replace(/([?&])([^=&?]*)=([^&?]*)/g, (whole, sign: string, key: string, value: string) => {
    const name = decoded(key);
    if (name === 'return' && keepsReturn) {
      return `${sign}return=${encodeURIComponent(withoutSecrets(decoded(value.replaceAll('+', ' ')), false))}`;
    }
    return name === 'return' || secretKey.test(name) ? `${sign}${key}=${hidden}` : whole;
  });

/** An address without the secrets in its path and query, nor those of the address that it leads back to. */
const withoutSecrets = (address: string, keepsReturn = true): string => {
  const [path = '', ...queries] = address.split('?');
  const clear = path.replace(secretPath, (_, start: string, rest: string) => start + rest.replace(/[^/]+/g, hidden));
  return queries.length === 0 ? clear : clear + withoutSecretQuery(`?${queries.join('?')}`, keepsReturn);
};

/** The page that asks for the secret which is missing here. */
const withoutSecretPage = (path: string): string => {
  const start = path.replace(secretPath, '$1').replace(/\/$/, '');
  return start.toLowerCase() === '/resetpassword' ? '/forgotpassword' : start;
};

/**
 * An address without the marks of its own secrets, for when these are not known any more; the
 * address that it leads back to stays as it is.
 */
export const withoutMarks = (address: string): string => {
  const [path = '', search = ''] = address.split(/\?(.*)/s, 2);
  const isMarked = secretPath.test(path) && path.split('/').some((part) => decoded(part) === hidden);
  const kept = search.split('&').filter((part) => {
    const [key = '', value = ''] = part.split(/=(.*)/s, 2).map(decoded);
    return !secretKey.test(key) || value !== hidden;
  });
  return withQuery(isMarked ? withoutSecretPage(path) : path, kept.join('&'));
};

const legacy: Record<string, (query: URLSearchParams) => string> = {
  '/subscription.aspx': (query) => {
    const names = ['code', 'planid'].filter((name) => query.has(name));
    const kept = Object.fromEntries(names.map((name) => [name, query.get(name) ?? '']));
    return withQuery('/subscription', new URLSearchParams(kept).toString());
  },
  '/resetpassword.aspx': (query) => (query.get('token') ? resetPasswordPath(query.get('token') ?? '') : '/forgotpassword'),
};

/** Whether the value of `lang` is one of the shop's languages; any other chooses none, so that it is nothing that anybody reads. */
const isLocale = (value: string): boolean => (languages as readonly string[]).includes(value.toLowerCase());

/** A query without what the flow does not read; secrets that were taken out stay marked. */
const known = (search: string, reads: readonly string[]): string => {
  const isKnown = (part: string): boolean => {
    const [name = '', value = ''] = part.split(/=(.*)/s, 2).map(decoded);
    if (name === 'lang') return isLocale(value);
    return name === '' || name === 'return' || reads.includes(name) || secretKey.test(name);
  };
  return search.split('&').filter(isKnown).join('&');
};

type Address = { pathname: string; search: string };

/** Where an address of the shop's forerunner has moved to, or null. */
export const redirectOf = ({ pathname, search }: Address): string | null =>
  legacy[pathname]?.(new URLSearchParams(search)) ?? null;

const pathIn = (whole: string): string => whole.replace(/\?.*$/s, '').replace(/(?<!\/)\/+$/, '') || '/';

/** The English name of the page at an address; undefined where its flow alone can know. */
export const nameAt = (address: string): string | undefined => {
  const path = pathIn(address);
  return table.find(({ expression }) => expression.test(path))?.name;
};

/** The same in the language of the page: all but English have the names among their words. */
export const nameIn = (i18n: Words, address: string): string | undefined => {
  const name = nameAt(address);
  return name === undefined || i18n.locale === 'en' ? name : i18n._(name);
};
type Words = { locale: string; _: (id: string) => string };

/** Whether a secret was taken out of the address. */
export const hadSecret = ({ path }: Pick<Route, 'path'>): boolean => path.includes(hidden);

/** The route of an address of this origin, its secrets taken out; an address that no row matches is `notFound`. */
export const routeOf = (address: Address): Route => {
  const whole = withoutSecrets(redirectOf(address) ?? address.pathname + address.search);
  const [start = '', search = ''] = whole.split(/\?(.*)/s, 2);
  const path = pathIn(whole);
  for (const { expression, flow, reads, access = 'public', keys = [], query: meant, hides = nothing, fills } of table) {
    const match = expression.exec(path);
    if (!match) continue;
    const asked = reads === undefined ? search : known(search, [...reads, ...keys]);
    const all = Object.fromEntries(new URLSearchParams(asked));
    const named = Object.entries(match.groups ?? {}).filter(([, part]) => part !== undefined && part !== '');
    const params = Object.fromEntries(named.map(([name, part]) => [name, decoded(part)]));
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
  const asked = known(search, []);
  return {
    flow: 'notFound',
    path: asked === search ? whole : withQuery(start, asked),
    params: {},
    query: {},
    access: 'public',
    hides: nothing,
  };
};
