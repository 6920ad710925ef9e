import type { ChromePart, FlowName, Route } from '../machines/model/route.ts';

type Row = {
  /** `{name}` is one path segment or the rest of one, `{name?}` may be missing, `{name:a|b}` is one of these. */
  pattern: string;
  flow: FlowName | 'invalid';
  access?: 'login';
  /** Query parameters that say which screen it is. */
  keys?: string[];
  hides?: ChromePart[];
};

const whilePaying: ChromePart[] = ['sidebar', 'search', 'library', 'home', 'explore', 'subscribe', 'topFilter'];
const whileReading: ChromePart[] = [...whilePaying, 'signIn', 'footer', 'topBar'];
const inLibrary: ChromePart[] = ['sidebar', 'topFilter'];
const inInformation: ChromePart[] = ['sidebar', 'subscribe', 'search', 'library', 'explore', 'signIn', 'topFilter'];

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
  { pattern: '/viewer', flow: 'viewer', access: 'login', keys: ['instanceid', 'sample'], hides: whileReading },
  { pattern: '/{page:about|terms|privacy}', flow: 'information', hides: inInformation },
  { pattern: '/{page:404|500}', flow: 'notFound' },
  { pattern: '/invalid', flow: 'invalid', hides: whileReading },
  { pattern: '/{type:all|ebook|audio|video}/{category?}', flow: 'catalogue' },
  { pattern: '/{type:all|ebook|audio|video}/{parent}/{category}', flow: 'catalogue' },
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

/** Addresses whose last part is a secret: machines and traces never see it. */
const withoutSecret = (path: string): string => path.replace(/^(\/(?:redeem|resetpassword)\/)[^?#]+/i, '$1…');

/** The route of an address of this origin; an address that no row matches is `notFound`. */
export const routeOf = ({ pathname, search }: { pathname: string; search: string }): Route => {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') || '/' : pathname;
  const all = Object.fromEntries(new URLSearchParams(search));
  const whole = withoutSecret(`${pathname}${search}`);
  for (const { expression, flow, access = 'public', keys = [], hides = [] } of table) {
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
    return { flow, path: whole, params, query, access, hides };
  }
  return { flow: 'notFound', path: whole, params: {}, query: {}, access: 'public', hides: [] };
};
