import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveBuiltPages } from '../built-pages.ts';
import { createCalls } from './calls.ts';
import { findWork } from './catalogue.ts';
import { createBookContent, createBookFile, createGame, createPdfFile, createSound, type Content } from './content.ts';
import { State, type Transaction } from './state.ts';
import { toHtmlAnswer, toJsonAnswer, notFound, sendAnswer, unauthorized, type WireAnswer, type WireRequest } from './wire.ts';

/**
 * A store server that implements the specification alone and shares nothing with `server/`. Each
 * call beyond the specification gets the wrong answer that the test chooses.
 */

/** Wrong answers to a call that the server does not have. */
const wrongAnswersByName = {
  'not found': () => notFound,
  broken: () => toHtmlAnswer('<h1>500</h1>', 500),
  'a page': () => toHtmlAnswer('<h1>Welcome</h1>'),
  'an error in JSON': () => toJsonAnswer({ error: 'Unknown method' }),
  // The call is never answered.
  nothing: () => null,
} satisfies Record<string, () => WireAnswer | null>;
export type WrongAnswer = keyof typeof wrongAnswersByName;
export const wrongAnswers = Object.keys(wrongAnswersByName) as WrongAnswer[];

export type SpecificationServerOptions = {
  /** the answer to every call beyond the specification */
  wrongAnswer?: WrongAnswer;
  /** the path of its API */
  base?: string;
  /** the store's properties beside its name and id: texts, and `AppStoreUrls`, which is XML */
  properties?: Record<string, string>;
  /** fields of `/config.json` beside those that the page needs */
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
  /** the header of that name, or empty */
  authorization: string;
};

export type SpecificationServer = {
  url: string;
  state: State;
  /** Every call that the page has made, in order. */
  receivedCalls: ReceivedCall[];
  close: () => Promise<void>;
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

/**
 * Splits a path into the longest name of a call that it begins with, and the remaining segments.
 * @returns null if it begins with no name
 */
const parseCall = (path: string, names: readonly string[]): { name: string; segments: string[] } | null => {
  const all = path.split('/').map(decodeURIComponent);
  for (let length = all.length; length > 0; length -= 1) {
    const name = all.slice(0, length).join('/');
    if (names.includes(name)) return { name, segments: all.slice(length) };
  }
  return null;
};

/** Sends a content, or the byte range of it that a player requests. */
const sendContent = (response: ServerResponse, { type, data }: Content, range = ''): void => {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
  const start = Number(from ?? 0);
  const end = to ? Math.min(Number(to), data.length - 1) : data.length - 1;
  const rangeHeader = from === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${data.length}` };
  const headers = { 'content-type': type, 'accept-ranges': 'bytes', 'content-length': end + 1 - start, ...rangeHeader };
  response.writeHead(from === undefined ? 200 : 206, headers).end(data.subarray(start, end + 1));
};

/** The path of a title's content. Two titles are books in one file, the other books are folders. */
const getContentPath = (id: string): string => {
  if (id === '5') return '/content/5.epub';
  if (id === '6') return '/content/6.pdf';
  const endings = { 1: '/manifest.json', 2: '.wav', 3: '/index.html', 4: '.wav' } as const;
  return `/content/${id}${endings[findWork(id)?.type ?? 2]}`;
};

const getContent = (path: string): Content | null => {
  if (path.endsWith('.wav')) return createSound();
  // The URL of a PDF need not have its file extension.
  if (path.endsWith('.pdf') || path.endsWith('/document')) return createPdfFile();
  // A book in one file has no URLs below its own.
  if (path.includes('.epub')) return path.endsWith('.epub') ? createBookFile() : null;
  return path.endsWith('/index.html') ? createGame() : createBookContent(path.split('/').slice(3).join('/'));
};

/** The page of a payment; once its form is submitted, the return URL. */
const respondToPayPage = (transaction: Transaction, isSubmitted: boolean): WireAnswer | { location: string } => {
  const { id, planId, intentId } = transaction;
  if (!isSubmitted) return toHtmlAnswer(`<h1>Pay ${transaction.price}</h1><form method="post"><button>Pay</button></form>`);
  transaction.status = 'authorized';
  const returnPath =
    planId === null ? `/checkout/complete?transId=${id}` : `/subscription/purchase?subscriptionid=${id}&intentId=${intentId}`;
  return { location: returnPath };
};

/** Starts the server on a free port, with the built pages beside its API. */
export const startSpecificationServer = async ({
  wrongAnswer = 'not found',
  base = '/v1',
  properties = {},
  config = {},
  withoutTokens = false,
}: SpecificationServerOptions = {}): Promise<SpecificationServer> => {
  const state = new State(!withoutTokens);
  const featureFlags = { EnableAudioTitle: 'True', EnableVideoTitle: '1', EnableGiftingTitle: 'yes' };
  const { visitorCalls, customerCalls } = createCalls(state, { ...featureFlags, ...properties }, base);
  const names = [...Object.keys(visitorCalls), ...Object.keys(customerCalls), 'viewer/url'];
  const receivedCalls: ReceivedCall[] = [];

  const handleCall = (path: string, request: Omit<WireRequest, 'segments'>): WireAnswer | null => {
    const parsedCall = parseCall(path, names);
    // The call of one title, plan, page or token has one more segment, that of related titles two.
    const isKnown =
      parsedCall !== null &&
      (parsedCall.segments.length === 0 || ['titles', 'plans', 'pages', 'user/token'].includes(parsedCall.name));
    if (parsedCall === null || !isKnown || isAddition(parsedCall.name, parsedCall.segments))
      return wrongAnswersByName[wrongAnswer]();
    const call = { ...request, segments: parsedCall.segments };
    const visitorCall = visitorCalls[parsedCall.name];
    if (visitorCall !== undefined) return visitorCall(call);
    const customer = state.sessions.get(request.query.get('accesstoken') ?? '');
    if (customer === undefined) return unauthorized;
    if (parsedCall.name === 'viewer/url') {
      const id = (request.query.get('instanceid') ?? '').replace('copy-', '');
      return toJsonAnswer({ url: getContentPath(id) });
    }
    return customerCalls[parsedCall.name]?.(customer, call) ?? notFound;
  };

  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
      const body = await readBody(request);
      if (pathname === '/config.json')
        return sendAnswer(
          response,
          toJsonAnswer({ apiBase: base, storeId: '77', storeParameter: 'storeid', appId: 'web', ...config }),
        );
      const payment = state.transactions.get(/^\/pay\/(\w+)$/.exec(pathname)?.[1] ?? '');
      if (payment !== undefined) {
        const page = respondToPayPage(payment, request.method === 'POST');
        if ('location' in page) return void response.writeHead(303, { location: page.location }).end();
        return sendAnswer(response, page);
      }
      if (pathname === '/portal') return sendAnswer(response, toHtmlAnswer('<h1>Your subscription</h1>'));
      if (pathname.startsWith('/content/')) {
        const content = getContent(pathname);
        if (content === null) return sendAnswer(response, notFound);
        return sendContent(response, content, request.headers.range);
      }
      if (!pathname.startsWith(`${base}/`)) return serveBuiltPages(pathname, response);
      const path = pathname.slice(`${base}/`.length);
      const { method = '', headers } = request;
      receivedCalls.push({
        method,
        call: path,
        query: Object.fromEntries(query),
        body,
        authorization: headers.authorization ?? '',
      });
      const answer = handleCall(path, { query, body, request });
      if (answer !== null) sendAnswer(response, answer);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    state,
    receivedCalls,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Whether a call is one of our additions whose path begins like a call of the specification. */
const isAddition = (name: string, segments: readonly string[]): boolean =>
  (name === 'titles' && ['byid', 'byurl', 'facets', 'suggestions'].includes(segments[0] ?? '')) ||
  (name === 'user/token' && segments.length > 1);
