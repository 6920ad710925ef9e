import { hidden, type ChromePart, type FlowName, type Route } from '../machines/model/route.ts';

type Row = {
  /** `{name}` is one path segment or the rest of one, `{name?}` may be missing, `{name:a|b}` is one of these. */
  pattern: string;
  flow: FlowName | 'invalid';
  access?: 'login';
  /** Query parameters that say which screen it is. */
  keys?: string[];
  hides?: ChromePart[];
  /** The screen fills the window and brings a bar of its own. */
  fills?: true;
};

const whilePaying: ChromePart[] = ['sidebar', 'search', 'library', 'home', 'explore', 'subscribe', 'topFilter'];
const whileReading: ChromePart[] = [...whilePaying, 'signIn', 'footer'];
const inPdf: ChromePart[] = [...whileReading, 'topBar'];
const inLibrary: ChromePart[] = ['sidebar', 'topFilter'];
const inInformation: ChromePart[] = ['sidebar', 'subscribe', 'search', 'library', 'explore', 'signIn', 'topFilter'];

/** One and the same, so that a frame that hides nothing is known to be as it was. */
const nothing: ChromePart[] = [];

/** Every address of the shop: the flow that serves it, who may see it and what the frame leaves out. First match wins. */
const rows: Row[] = [
  { pattern: '/', flow: 'landing', hides: ['home'] },
  { pattern: '/signin', flow: 'signIn' },
  { pattern: '/signup', flow: 'signUp' },
  { pattern: '/id:{titleId}/{name?}', flow: 'title' },
  { pattern: '/isbn:{isbn}/{name?}', flow: 'title' },
  { pattern: '/title/purchase', flow: 'checkout', keys: ['titleid'], hides: whilePaying },
  { pattern: '/checkout/complete', flow: 'checkout', access: 'login', keys: ['transId'], hides: whilePaying },
  { pattern: '/title/purchase/success', flow: 'receipt', access: 'login', keys: ['transId'], hides: whilePaying },
  { pattern: '/mylibrary/{type:ebook|audio|video?}', flow: 'library', access: 'login', hides: inLibrary },
  { pattern: '/viewer', flow: 'viewer', access: 'login', keys: ['instanceid', 'sample'], hides: whileReading, fills: true },
  { pattern: '/pdfviewer', flow: 'viewer', access: 'login', keys: ['instanceid', 'sample'], hides: inPdf, fills: true },
  { pattern: '/account', flow: 'account', access: 'login' },
  { pattern: '/subscription', flow: 'subscription', hides: whilePaying },
  { pattern: '/pages/{kind:public|private}/{page}', flow: 'page' },
  { pattern: '/campaign/{campaign}', flow: 'page' },
  { pattern: '/{page:forgotpassword|redeem|auth0loginCallback}', flow: 'signpost' },
  { pattern: '/{page:resetpassword|redeem}/{secret}', flow: 'signpost' },
  { pattern: '/{page:purchase}', flow: 'signpost', hides: whilePaying },
  {
    pattern: '/{page:cart/checkout|(?:cart|subscription)/purchase/success|subscription/purchase}',
    flow: 'signpost',
    access: 'login',
    hides: whilePaying,
  },
  { pattern: '/{page:about}', flow: 'information' },
  { pattern: '/{page:terms|privacy}', flow: 'information', hides: inInformation },
  { pattern: '/{page:404|500}', flow: 'notFound' },
  { pattern: '/invalid', flow: 'invalid', hides: inPdf },
  { pattern: '/catalog/titles/{catalog}', flow: 'catalogue', hides: ['subscribe'] },
  { pattern: '/titleset/titles/{titleset}', flow: 'catalogue', hides: ['subscribe'] },
  { pattern: '/{type:all|ebook|audio|video}/{category?}', flow: 'catalogue' },
  { pattern: '/{type:all|ebook|audio|video}/{parent}/{category}', flow: 'catalogue' },
  { pattern: '/{type:all|ebook|audio|video}/{root}/{parent}/{category}', flow: 'catalogue' },
  { pattern: '/{type:all|ebook|audio|video}/{root}/{parent}/{name}/{category}', flow: 'catalogue' },
];

/** A pattern as a regular expression with a named group for each part. */
const compiled = (pattern: string): RegExp => {
  const source = pattern
    .replace(/\/\{(\w+)(?::([^}?]+))?\?\}/g, (_, name: string, choice = '[^/]*') => `(?:/(?<${name}>${choice}))?`)
    .replace(/\{(\w+)(?::([^}]+))?\}/g, (_, name: string, choice = '[^/]+') => `(?<${name}>${choice})`);
  return new RegExp(`^${source}$`);
};

const table = rows.map((row) => ({ ...row, expression: compiled(row.pattern) }));

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

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
  const clear = path.replace(
    /^(\/(?:redeem|resetpassword)\/)(.+)/i,
    (_, start: string, rest: string) => start + rest.replace(/[^/]+/g, hidden),
  );
  return queries.length === 0 ? clear : clear + withoutSecretQuery(`?${queries.join('?')}`, keepsReturn);
};

const legacy: Record<string, (query: URLSearchParams) => string> = {
  '/subscription.aspx': (query) => {
    const kept = ['code', 'planid'].flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : []));
    return `/subscription${kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`}`;
  },
  '/resetpassword.aspx': (query) =>
    query.get('token') ? `/resetpassword/${encodeURIComponent(query.get('token') ?? '')}` : '/forgotpassword',
};

type Address = { pathname: string; search: string };

/** Where an address of the shop's forerunner has moved to, or null. */
export const redirectOf = ({ pathname, search }: Address): string | null =>
  legacy[pathname]?.(new URLSearchParams(search)) ?? null;

/** The route of an address of this origin, its secrets taken out; an address that no row matches is `notFound`. */
export const routeOf = (address: Address): Route => {
  const whole = withoutSecrets(redirectOf(address) ?? address.pathname + address.search);
  const [start = '', search = ''] = whole.split(/\?(.*)/s, 2);
  const path = start.replace(/(?<!\/)\/+$/, '') || '/';
  const all = Object.fromEntries(new URLSearchParams(search));
  for (const { expression, flow, access = 'public', keys = [], hides = nothing, fills } of table) {
    const match = expression.exec(path);
    if (!match) continue;
    const named = Object.entries(match.groups ?? {}).filter(([, part]) => part !== undefined && part !== '');
    const params = Object.fromEntries(named.map(([name, part]) => [name, decoded(part)]));
    const query = { ...all };
    for (const key of keys) {
      const value = query[key];
      if (value === undefined) continue;
      params[key] = value;
      delete query[key];
    }
    return { flow, path: whole, params, query, access, hides, ...(fills && { fills }) };
  }
  return { flow: 'notFound', path: whole, params: {}, query: {}, access: 'public', hides: nothing };
};
