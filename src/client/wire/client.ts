import createClient, { type Client } from 'openapi-fetch';
import { isProblem, type Problem } from '../../../machines/model/problem.ts';
import type { Base } from './address.ts';
import { toResponseProblem } from './xml-response.ts';
import { toFetchProblem, throwProblem, type RunCall } from './problem.ts';
import type { paths } from './schema.gen.ts';

/** The API part of the page's configuration; `apiBase` may be relative to the page. */
export type ApiConfig = {
  apiBase: string;
  storeId: string;
  /** Name of the query parameter that carries the store id. */
  storeParameter: string;
  appId: string;
  /** Links to a store's apps, if it names none; without them, links search the app stores. */
  appStoreUrls?: { type: 'GooglePlay' | 'Apple'; url: string }[] | undefined;
  /** False where payments are in test mode and charge nothing. */
  paymentLiveMode?: boolean | undefined;
  /** The wallets that the gateway's page accepts. */
  wallets?: string[];
  /** The address of the FAQ, for stores without one of their own. */
  helpUrl?: string;
  /** Origin of the comments service, or empty. */
  coralHost?: string;
  /** Sign-in providers, for a server without `user/providers`. */
  providers?: unknown[];
  /** Calls beyond the specification that the server supports. */
  additions?: string[];
  /** Milliseconds by which the shop's time is ahead of real time. */
  clockAhead?: number;
};

/** Time and randomness, injected so that tests need not wait. */
type Clock = {
  /** A signal that aborts with a TimeoutError after `ms` milliseconds. */
  limit: (ms: number) => AbortSignal;
  wait: (ms: number) => Promise<void>;
  /** 0 to 1. */
  random: () => number;
};

export type ApiOptions = {
  config: ApiConfig;
  /** The signed-in customer's access token. */
  token: () => string | null;
  newKey: () => string;
  fetch: (request: Request) => Promise<Response>;
  /** The base that `apiBase` is relative to; the page's own URL by default. */
  origin?: string;
  /** Called with Problems to log, such as that of failed categories, which the shop ignores. */
  report?: (call: string, problem: Problem) => void;
  /**
   * Called with every call's Problem before the call rejects, with the token that the call used and
   * its name.
   */
  onProblem?: (problem: Problem, token: string | null, call: string) => void;
  clock?: Clock;
};

const browserClock: Clock = {
  limit: (ms) => AbortSignal.timeout(ms),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  random: Math.random,
};

const readTimeoutMs = 15_000;
const changeTimeoutMs = 30_000;
const maxRetries = 2;
const temporaryStatuses = new Set([502, 503, 504]);

type Send = (request: Request) => Promise<Response>;

/** Retries temporary failures, with increasing delays and jitter. */
const withRetries =
  (fetch: Send, { wait, random }: Clock): Send =>
  async (request) => {
    for (let attempt = 0; attempt < maxRetries; attempt += 1) {
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

/** Converts answers outside 200 to 299 and network failures into Problems. */
const withProblems =
  (fetch: Send): Send =>
  async (request) => {
    const response = await fetch(request).catch((error: unknown) => throwProblem(toFetchProblem(error)));
    return response.ok ? response : throwProblem(await toResponseProblem(response));
  };

const createQuerySerializer =
  ({ config, token }: ApiOptions) =>
  (query: Readonly<Record<string, unknown>>): string => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
      if (isPlain && value !== '') parameters.set(name, String(value));
    }
    parameters.set(config.storeParameter, config.storeId);
    const accessToken = token();
    if (accessToken && !parameters.has('accesstoken')) parameters.set('accesstoken', accessToken);
    return parameters.toString();
  };

type ReadInit = { parseAs: 'stream'; signal: AbortSignal; cache: RequestCache; fetch: Send };
type ChangeInit = ReadInit & { headers: Headers };

export type Api = {
  config: ApiConfig;
  /** The base that relative addresses in answers are resolved against. */
  base: Base;
  client: Client<paths>;
  /**
   * Options of a read-only request: 15 s timeout, retried twice when the network or a gateway
   * fails.
   */
  readOptions: (signal?: AbortSignal) => ReadInit;
  /**
   * Options of a request with effects: 30 s timeout, never cached, never retried. `key` is the
   * idempotency key of the attempt, the same for each repetition of one press; null sends none.
   */
  changeOptions: (key?: string | null, signal?: AbortSignal) => ChangeInit;
  report: (call: string, problem: Problem) => void;
  /**
   * Runs a call and passes its Problem to `onProblem`, so that session and store are handled in one
   * place.
   */
  runCall: RunCall;
};

/**
 * Creates the API client, which adds the store id, the access token, the idempotency key and a
 * timeout to requests.
 */
export const createApi = (options: ApiOptions): Api => {
  const { config, fetch, newKey, token, clock = browserClock, origin = globalThis.location?.href } = options;
  const { href, origin: apiOrigin } = new URL(config.apiBase, origin);
  const base = { href, isOwn: origin !== undefined && new URL(origin).origin === apiOrigin };
  const limitSignal = (ms: number, signal?: AbortSignal) =>
    signal ? AbortSignal.any([signal, clock.limit(ms)]) : clock.limit(ms);
  return {
    config,
    base,
    client: createClient<paths>({
      baseUrl: href,
      referrerPolicy: 'no-referrer',
      querySerializer: createQuerySerializer(options),
    }),
    readOptions: (signal) => ({
      parseAs: 'stream',
      signal: limitSignal(readTimeoutMs, signal),
      // An address that contains a token must not enter the browser's cache.
      cache: token() ? 'no-store' : 'default',
      fetch: withProblems(withRetries(fetch, clock)),
    }),
    changeOptions: (key = newKey(), signal) => ({
      parseAs: 'stream',
      signal: limitSignal(changeTimeoutMs, signal),
      cache: 'no-store',
      headers: new Headers(key === null ? [] : [['Idempotency-Key', key]]),
      fetch: withProblems(fetch),
    }),
    report: options.report ?? (() => undefined),
    runCall: async (call, run, usedToken = token()) => {
      try {
        return await run();
      } catch (error) {
        if (isProblem(error)) options.onProblem?.(error, usedToken, call);
        throw error;
      }
    },
  };
};
