import type { Problem } from '../../../machines/model/problem.ts';
import { createApi, type ApiConfig, type ApiOptions } from '../../../src/client/wire/client.ts';

export const config: ApiConfig = {
  apiBase: 'https://shop.test/api',
  storeId: 'demo',
  storeParameter: 'shelfid',
  appId: 'app-1',
};

/** A body that arrives in chunks of odd sizes, which split characters and tags. */
export const streamInPieces = (text: string, sizes: number[] = [1, 2, 3, 5, 7, 11]): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) {
        controller.close();
        return;
      }
      const size = sizes[turn % sizes.length] ?? 1;
      turn += 1;
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
};

const responseOf =
  (type: string) =>
  (text: string, status = 200) =>
    new Response(streamInPieces(text), { status, headers: { 'content-type': `${type}; charset=utf-8` } });

export const xml = responseOf('application/xml');
export const html = responseOf('text/html');
export const json = (value: unknown, status = 200) => responseOf('application/json')(JSON.stringify(value), status);
export const text = responseOf('application/json');

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
 * A server in this process: gives the replies in order, repeats the last one, and records the
 * requests. Its clock does not wait, and records the waiting times.
 */
export const environment = (replies: Reply[], parts: Partial<ApiOptions> = {}) => {
  const asked: FakeRequest[] = [];
  const waits: number[] = [];
  const limits: { ms: number; end: () => void }[] = [];
  const reported: [string, Problem][] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    asked.push({
      method: request.method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(request.headers),
      cache: request.cache,
      body: await request.clone().text(),
    });
    request.signal.throwIfAborted();
    const reply = replies[Math.min(asked.length, replies.length) - 1];
    if (reply === undefined || reply instanceof Error) throw reply ?? new Error('no reply left');
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
    report: (call, problem) => reported.push([call, problem]),
    clock: {
      limit,
      random: () => 0.5,
      wait: async (ms) => {
        waits.push(ms);
      },
    },
    ...parts,
  });
  return { api, asked, waits, limits, reported };
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
