import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveBuiltPages } from '../built-pages.ts';
import { callsOf } from './calls.ts';
import { workOf } from './catalogue.ts';
import { book, bookFile, game, pdfFile, sound, type Content } from './content.ts';
import { State, type Transaction } from './state.ts';
import { html, json, notFound, send, unauthorized, type Answer, type Asked } from './wire.ts';

/**
 * A store server that knows the specification alone and shares nothing with `server/`. Each call
 * that the specification does not have gets the wrong answer that the test wants.
 */

/** Wrong answers to a call that the server does not have. */
const answersBeyond = {
  'not found': () => notFound,
  broken: () => html('<h1>500</h1>', 500),
  'a page': () => html('<h1>Welcome</h1>'),
  'an error in JSON': () => json({ error: 'Unknown method' }),
  // It never comes.
  nothing: () => null,
} satisfies Record<string, () => Answer | null>;
export type WrongAnswer = keyof typeof answersBeyond;
export const wrongAnswers = Object.keys(answersBeyond) as WrongAnswer[];

export type Options = {
  /** for every call beyond the specification */
  beyond?: WrongAnswer;
  /** the path of its API */
  base?: string;
  /** of the store, beside its name and id; `AppStoreUrls` is a document, the others are texts */
  properties?: Record<string, string>;
  /** of `/config.json`, beside what the page needs */
  config?: Record<string, unknown>;
  /** a sign-in is answered without a token */
  withoutTokens?: boolean;
};

export type AskedCall = {
  method: string;
  /** the path behind the API's base */
  call: string;
  query: Record<string, string>;
  body: string;
  /** its header, or empty */
  authorization: string;
};

export type SpecificationServer = {
  url: string;
  state: State;
  /** Every call that the page has made, in order. */
  asked: AskedCall[];
  close: () => Promise<void>;
};

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

/** The longest name of a call that the path begins with, and the parts behind it. */
const callIn = (path: string, names: readonly string[]): { name: string; rest: string[] } | null => {
  const parts = path.split('/').map(decodeURIComponent);
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('/');
    if (names.includes(name)) return { name, rest: parts.slice(length) };
  }
  return null;
};

/** A content, or the part of it that a player asks for. */
const sendContent = (response: ServerResponse, { type, data }: Content, range = ''): void => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const start = Number(from ?? 0);
  const end = to ? Math.min(Number(to), data.length - 1) : data.length - 1;
  const part = from === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${data.length}` };
  const headers = { 'content-type': type, 'accept-ranges': 'bytes', 'content-length': end + 1 - start, ...part };
  response.writeHead(from === undefined ? 200 : 206, headers).end(data.subarray(start, end + 1));
};

/** Two titles are books in one file each, the other books lie in folders. */
const contentUrl = (id: string): string => {
  if (id === '5') return '/content/5.epub';
  if (id === '6') return '/content/6.pdf';
  const endings = { 1: '/manifest.json', 2: '.wav', 3: '/index.html', 4: '.wav' } as const;
  return `/content/${id}${endings[workOf(id)?.type ?? 2]}`;
};

const contentAt = (path: string): Content | null => {
  if (path.endsWith('.wav')) return sound();
  // A document's address need not say what it is.
  if (path.endsWith('.pdf') || path.endsWith('/document')) return pdfFile();
  // There is nothing below a file.
  if (path.includes('.epub')) return path.endsWith('.epub') ? bookFile() : null;
  return path.endsWith('/index.html') ? game() : book(path.split('/').slice(3).join('/'));
};

/** The page of a payment, and the way back that it leads to. */
const payPage = (transaction: Transaction, isAnswered: boolean): Answer | { to: string } => {
  const { id, planId, intentId } = transaction;
  if (!isAnswered) return html(`<h1>Pay ${transaction.price}</h1><form method="post"><button>Pay</button></form>`);
  transaction.status = 'authorized';
  const back =
    planId === null ? `/checkout/complete?transId=${id}` : `/subscription/purchase?subscriptionid=${id}&intentId=${intentId}`;
  return { to: back };
};

/** Starts it on a port of its own, with the built pages beside it. */
export const startSpecificationServer = async ({
  beyond = 'not found',
  base = '/v1',
  properties = {},
  config = {},
  withoutTokens = false,
}: Options = {}): Promise<SpecificationServer> => {
  const state = new State(!withoutTokens);
  const switches = { EnableAudioTitle: 'True', EnableVideoTitle: '1', EnableGiftingTitle: 'yes' };
  const { open, own } = callsOf(state, { ...switches, ...properties }, base);
  const names = [...Object.keys(open), ...Object.keys(own), 'viewer/url'];
  const asked: SpecificationServer['asked'] = [];

  const answerTo = (path: string, of: Omit<Asked, 'rest'>): Answer | null => {
    const found = callIn(path, names);
    // A title, a plan or a token has one part more, and a title's relations two.
    const isKnown =
      found !== null && (found.rest.length === 0 || ['titles', 'plans', 'pages', 'user/token'].includes(found.name));
    if (found === null || !isKnown || isAddition(found.name, found.rest)) return answersBeyond[beyond]();
    const call = { ...of, rest: found.rest };
    const anybodys = open[found.name];
    if (anybodys !== undefined) return anybodys(call);
    const customer = state.sessions.get(of.query.get('accesstoken') ?? '');
    if (customer === undefined) return unauthorized;
    if (found.name === 'viewer/url') {
      const id = (of.query.get('instanceid') ?? '').replace('copy-', '');
      return json({ url: contentUrl(id) });
    }
    return own[found.name]?.(customer, call) ?? notFound;
  };

  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
      const body = await bodyOf(request);
      if (pathname === '/config.json')
        return send(response, json({ apiBase: base, storeId: '77', storeParameter: 'storeid', appId: 'web', ...config }));
      const payment = state.transactions.get(/^\/pay\/(\w+)$/.exec(pathname)?.[1] ?? '');
      if (payment !== undefined) {
        const page = payPage(payment, request.method === 'POST');
        if ('to' in page) return void response.writeHead(303, { location: page.to }).end();
        return send(response, page);
      }
      if (pathname === '/portal') return send(response, html('<h1>Your subscription</h1>'));
      if (pathname.startsWith('/content/')) {
        const content = contentAt(pathname);
        if (content === null) return send(response, notFound);
        return sendContent(response, content, request.headers.range);
      }
      if (!pathname.startsWith(`${base}/`)) return serveBuiltPages(pathname, response);
      const path = pathname.slice(`${base}/`.length);
      const { method = '', headers } = request;
      asked.push({
        method,
        call: path,
        query: Object.fromEntries(query),
        body,
        authorization: headers.authorization ?? '',
      });
      const answer = answerTo(path, { query, body, request });
      if (answer !== null) send(response, answer);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    state,
    asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Calls of ours whose path begins as one of the specification does. */
const isAddition = (name: string, rest: readonly string[]): boolean =>
  (name === 'titles' && ['byid', 'byurl', 'facets', 'suggestions'].includes(rest[0] ?? '')) ||
  (name === 'user/token' && rest.length > 1);
