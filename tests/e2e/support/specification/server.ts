import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveBuiltPages } from '../built-pages.ts';
import { createCalls } from './calls.ts';
import { findWork } from './catalogue.ts';
import { createBookContent, createBookFile, createGame, createPdfFile, createSound, type Content } from './content.ts';
import { State, type Transaction } from './state.ts';
import { html, json, notFound, sendAnswer, unauthorized, type WireAnswer, type WireRequest } from './wire.ts';

/**
 * A store server that implements the specification alone and shares nothing with `server/`. Each
 * call beyond the specification gets the wrong answer that the test chooses.
 */

/** Wrong answers to a call that the server does not have. */
const wrongAnswersByName = {
  'not found': () => notFound,
  broken: () => html('<h1>500</h1>', 500),
  'a page': () => html('<h1>Welcome</h1>'),
  'an error in JSON': () => json({ error: 'Unknown method' }),
  // It never answers.
  nothing: () => null,
} satisfies Record<string, () => WireAnswer | null>;
export type WrongAnswer = keyof typeof wrongAnswersByName;
export const wrongAnswers = Object.keys(wrongAnswersByName) as WrongAnswer[];

export type SpecificationServerOptions = {
  /** for every call beyond the specification */
  beyond?: WrongAnswer;
  /** the path of its API */
  base?: string;
  /** of the store, beside its name and id; `AppStoreUrls` is a document, the others are texts */
  properties?: Record<string, string>;
  /** of `/config.json`, beside the fields that the page needs */
  config?: Record<string, unknown>;
  /** a sign-in is answered without a token */
  withoutTokens?: boolean;
};

export type ReceivedCall = {
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
  asked: ReceivedCall[];
  close: () => Promise<void>;
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
};

/** The longest name of a call that the path begins with, and the parts behind it. */
const parseCall = (path: string, names: readonly string[]): { name: string; rest: string[] } | null => {
  const parts = path.split('/').map(decodeURIComponent);
  for (let length = parts.length; length > 0; length -= 1) {
    const name = parts.slice(0, length).join('/');
    if (names.includes(name)) return { name, rest: parts.slice(length) };
  }
  return null;
};

/** A content, or the range of it that a player requests. */
const sendContent = (response: ServerResponse, { type, data }: Content, range = ''): void => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const start = Number(from ?? 0);
  const end = to ? Math.min(Number(to), data.length - 1) : data.length - 1;
  const part = from === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${data.length}` };
  const headers = { 'content-type': type, 'accept-ranges': 'bytes', 'content-length': end + 1 - start, ...part };
  response.writeHead(from === undefined ? 200 : 206, headers).end(data.subarray(start, end + 1));
};

/** Two titles are books in one file each, the other books are in folders. */
const contentUrl = (id: string): string => {
  if (id === '5') return '/content/5.epub';
  if (id === '6') return '/content/6.pdf';
  const endings = { 1: '/manifest.json', 2: '.wav', 3: '/index.html', 4: '.wav' } as const;
  return `/content/${id}${endings[findWork(id)?.type ?? 2]}`;
};

const getContent = (path: string): Content | null => {
  if (path.endsWith('.wav')) return createSound();
  // A document's address need not have its type.
  if (path.endsWith('.pdf') || path.endsWith('/document')) return createPdfFile();
  // There is nothing below a file.
  if (path.includes('.epub')) return path.endsWith('.epub') ? createBookFile() : null;
  return path.endsWith('/index.html') ? createGame() : createBookContent(path.split('/').slice(3).join('/'));
};

/** The page of a payment, and its return address. */
const respondToPayPage = (transaction: Transaction, isAnswered: boolean): WireAnswer | { to: string } => {
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
}: SpecificationServerOptions = {}): Promise<SpecificationServer> => {
  const state = new State(!withoutTokens);
  const switches = { EnableAudioTitle: 'True', EnableVideoTitle: '1', EnableGiftingTitle: 'yes' };
  const { open, own } = createCalls(state, { ...switches, ...properties }, base);
  const names = [...Object.keys(open), ...Object.keys(own), 'viewer/url'];
  const asked: SpecificationServer['asked'] = [];

  const answerTo = (path: string, of: Omit<WireRequest, 'rest'>): WireAnswer | null => {
    const found = parseCall(path, names);
    // A title, a plan or a token has one part more, and a title's relations two.
    const isKnown =
      found !== null && (found.rest.length === 0 || ['titles', 'plans', 'pages', 'user/token'].includes(found.name));
    if (found === null || !isKnown || isAddition(found.name, found.rest)) return wrongAnswersByName[beyond]();
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
      const body = await readBody(request);
      if (pathname === '/config.json')
        return sendAnswer(response, json({ apiBase: base, storeId: '77', storeParameter: 'storeid', appId: 'web', ...config }));
      const payment = state.transactions.get(/^\/pay\/(\w+)$/.exec(pathname)?.[1] ?? '');
      if (payment !== undefined) {
        const page = respondToPayPage(payment, request.method === 'POST');
        if ('to' in page) return void response.writeHead(303, { location: page.to }).end();
        return sendAnswer(response, page);
      }
      if (pathname === '/portal') return sendAnswer(response, html('<h1>Your subscription</h1>'));
      if (pathname.startsWith('/content/')) {
        const content = getContent(pathname);
        if (content === null) return sendAnswer(response, notFound);
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
      if (answer !== null) sendAnswer(response, answer);
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

/** Our additions whose path begins like one of the specification. */
const isAddition = (name: string, rest: readonly string[]): boolean =>
  (name === 'titles' && ['byid', 'byurl', 'facets', 'suggestions'].includes(rest[0] ?? '')) ||
  (name === 'user/token' && rest.length > 1);
