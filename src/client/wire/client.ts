import createClient, { type Client } from 'openapi-fetch';
import { isProblem, type Problem } from '../../../machines/model/problem.ts';
import type { Base } from './address.ts';
import { problemOfAnswer } from './answer.ts';
import { problemOfFailure, raise, type RunCall } from './problem.ts';
import type { paths } from './schema.gen.ts';

/** What the page's configuration says of the API; `apiBase` may be relative to the page. */
export type ApiConfig = {
  apiBase: string;
  storeId: string;
  /** Name of the query parameter that carries the store id. */
  storeParameter: string;
  appId: string;
  /** Of stores that name none; left out, links search the app stores for the store's name. */
  appStoreUrls?: { type: 'GooglePlay' | 'Apple'; url: string }[] | undefined;
  /** False where payments charge nothing. */
  paymentLiveMode?: boolean | undefined;
  /** Where the questions and answers are of stores that name no place. */
  helpUrl?: string;
  /** Origin of the service of comments, or empty. */
  coralHost?: string;
  /** Sign-in providers of a server without `user/providers`. */
  providers?: unknown[];
  /** Calls beyond the specification that the server names. */
  additions?: string[];
  /** Milliseconds by which the shop's time is ahead of real time. */
  clockAhead?: number;
};

/** Time and randomness, injected so that tests need not wait. */
type Clock = {
  /** A signal that aborts with a TimeoutError after so many milliseconds. */
  limit: (ms: number) => AbortSignal;
  wait: (ms: number) => Promise<void>;
  /** 0 to 1. */
  random: () => number;
};

export type ApiParts = {
  config: ApiConfig;
  /** The signed-in customer's access token. */
  token: () => string | null;
  newKey: () => string;
  fetch: (request: Request) => Promise<Response>;
  /** What `apiBase` is relative to; the page's own address where it is left out. */
  origin?: string;
  /** Called with Problems that are ignored on purpose, such as failed categories. */
  report?: (call: string, problem: Problem) => void;
  /** Called with every call's Problem, before the call itself fails, with the token that the call was made with, and its name. */
  onProblem?: (problem: Problem, token: string | null, call: string) => void;
  clock?: Clock;
};

const browserClock: Clock = {
  limit: (ms) => AbortSignal.timeout(ms),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
};

const readLimit = 15_000;
const changeLimit = 30_000;
const retries = 2;
const temporaryStatuses = new Set([502, 503, 504]);

type Send = (request: Request) => Promise<Response>;

/** Retries after a temporary failure, each time after a longer wait with jitter. */
const withRetries =
  (fetch: Send, { wait, random }: Clock): Send =>
  async (request) => {
    for (let attempt = 0; attempt < retries; attempt += 1) {
      const response = await fetch(request).catch((error: unknown) => {
        if (request.signal.aborted) throw error;
        return null;
      });
      if (response !== null && !temporaryStatuses.has(response.status)) return response;
      response?.body?.cancel().catch(() => undefined);
      await wait(300 * 2 ** attempt * (0.5 + random()));
    }
    return fetch(request);
  };

/** An answer outside 200 to 299 and a failure become the Problem that they mean. */
const withProblems =
  (fetch: Send): Send =>
  async (request) => {
    const response = await fetch(request).catch((error: unknown) => raise(problemOfFailure(error)));
    return response.ok ? response : raise(await problemOfAnswer(response));
  };

const querySerializer =
  ({ config, token }: ApiParts) =>
  (query: Readonly<Record<string, unknown>>): string => {
    const parts = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      if (isPlain && value !== '') parts.set(name, String(value));
    }
    parts.set(config.storeParameter, config.storeId);
    const accessToken = token();
    if (accessToken && !parts.has('accesstoken')) parts.set('accesstoken', accessToken);
    return parts.toString();
  };

type ReadInit = { parseAs: 'stream'; signal: AbortSignal; cache: RequestCache; fetch: Send };
type ChangeInit = ReadInit & { headers: Headers };

export type Api = {
  config: ApiConfig;
  /** What relative addresses in answers are relative to. */
  base: Base;
  client: Client<paths>;
  /** The part of a request that only reads: 15 s, sent again twice when the network or a gateway fails. */
  reading: (signal?: AbortSignal) => ReadInit;
  /**
   * The part of a request that changes something: 30 s, never cached, never sent again. `key` is the idempotency key of
   * the attempt, the same for each repetition of one press; null sends none.
   */
  changing: (key?: string | null, signal?: AbortSignal) => ChangeInit;
  report: (call: string, problem: Problem) => void;
  /** Runs a call and passes its Problem to `onProblem`, so that session and store are handled in one place. `used` is the call's token. */
  runCall: RunCall;
};

/** The one place where requests get the store id, the access token, the idempotency key and their time limit. */
export const createApi = (parts: ApiParts): Api => {
  const { config, fetch, newKey, token, clock = browserClock, origin = globalThis.location?.href } = parts;
  const { href, origin: own } = new URL(config.apiBase, origin);
  const base = { href, isOwn: origin !== undefined && new URL(origin).origin === own };
  const limited = (ms: number, signal?: AbortSignal) => (signal ? AbortSignal.any([signal, clock.limit(ms)]) : clock.limit(ms));
  return {
    config,
    base,
    client: createClient<paths>({
      baseUrl: href,
      referrerPolicy: 'no-referrer',
      querySerializer: querySerializer(parts),
    }),
    reading: (signal) => ({
      parseAs: 'stream',
      signal: limited(readLimit, signal),
      // An address with a token in it stays out of the browser's cache.
      cache: token() ? 'no-store' : 'default',
      fetch: withProblems(withRetries(fetch, clock)),
    }),
    changing: (key = newKey(), signal) => ({
      parseAs: 'stream',
      signal: limited(changeLimit, signal),
      cache: 'no-store',
      headers: new Headers(key === null ? [] : [['Idempotency-Key', key]]),
      fetch: withProblems(fetch),
    }),
    report: parts.report ?? (() => undefined),
    runCall: async (call, run, used = token()) => {
      try {
        return await run();
      } catch (error) {
        if (isProblem(error)) parts.onProblem?.(error, used, call);
        throw error;
      }
    },
  };
};
