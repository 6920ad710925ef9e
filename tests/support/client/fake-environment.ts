import type { Problem } from '../../../machines/model/problem.ts';
import { createApi, type ApiConfig, type ApiOptions } from '../../../src/client/wire/client.ts';

export const config: ApiConfig = {
  apiBase: 'https://shop.test/api',
  storeId: 'demo',
  storeParameter: 'shelfid',
  appId: 'app-1',
};

/** A body that arrives in small chunks of several sizes, which split characters and tags. */
export const streamInPieces = (text: string, sizes: number[] = [1, 2, 3, 5, 7, 11]): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  let offset = 0;
  let chunkIndex = 0;
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) {
        controller.close();
        return;
      }
      const size = sizes[chunkIndex % sizes.length] ?? 1;
      chunkIndex += 1;
      controller.enqueue(bytes.slice(offset, offset + size));
      offset += size;
    },
  });
};

const createResponder =
  (type: string) =>
  (text: string, status = 200) =>
    new Response(streamInPieces(text), { status, headers: { 'content-type': `${type}; charset=utf-8` } });

export const xml = createResponder('application/xml');
export const html = createResponder('text/html');
export const json = (value: unknown, status = 200) => createResponder('application/json')(JSON.stringify(value), status);
export const jsonText = createResponder('application/json');

export type FakeRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  cache: RequestCache;
  body: string;
};

type Reply = Response | Error | (() => Response | Promise<Response>);

/**
 * An API with a server in this process, which sends the replies in order, repeats the last one and
 * records the requests. The API's clock does not wait, but records the waiting times.
 */
export const createFakeServer = (replies: Reply[], options: Partial<ApiOptions> = {}) => {
  const requests: FakeRequest[] = [];
  const waits: number[] = [];
  const limits: { ms: number; end: () => void }[] = [];
  const reportedProblems: [string, Problem][] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    requests.push({
      method: request.method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(request.headers),
      cache: request.cache,
      body: await request.clone().text(),
    });
    request.signal.throwIfAborted();
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    if (reply === undefined || reply instanceof Error)
      throw reply ?? new Error(`The test has no reply for ${request.method} ${request.url}.`);
    return typeof reply === 'function' ? reply() : reply.clone();
  };
  const limit = (ms: number) => {
    const controller = new AbortController();
    limits.push({ ms, end: () => controller.abort(new DOMException('too slow', 'TimeoutError')) });
    return controller.signal;
  };
  const api = createApi({
    config,
    token: () => null,
    newKey: () => 'key-00000001',
    fetch,
    report: (call, problem) => reportedProblems.push([call, problem]),
    clock: {
      limit,
      random: () => 0.5,
      wait: async (ms) => {
        waits.push(ms);
      },
    },
    ...options,
  });
  return { api, requests, waits, limits, reportedProblems };
};

/** Returns the rejection of a call; a call that succeeds fails the test. */
export const catchRejection = async (call: Promise<unknown>): Promise<unknown> => {
  let value: unknown;
  try {
    value = await call;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
};
