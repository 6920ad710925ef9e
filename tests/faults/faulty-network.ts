import type { SendRequest } from './browser.ts';

/** A call of the API. `time` counts the calls of its path in a visit, from 1. */
export type Call = { path: string; time: number };

/** A call's name in tables. */
export const formatCallName = ({ path, time }: Call): string => (time === 1 ? path : `${path} (${time})`);

/** A sent call. `hasIdempotencyKey`: whether it carries an idempotency key, as changes do. */
export type SentCall = Call & { hasIdempotencyKey: boolean };

/** A fault of a call. `send` sends the request, whether or not the page still exists. */
export type CallFault = (send: () => Promise<Response>) => Promise<Response>;

const isSameCall = (one: Call, other: Call): boolean => one.path === other.path && one.time === other.time;

/**
 * The network between a page and the shop: records the calls, and breaks one of them with all its
 * retries. `direct` is the working network.
 */
export class FaultyNetwork {
  readonly #direct: SendRequest;
  #calls: SentCall[] = [];
  #registeredCalls = new WeakMap<Request, SentCall>();
  #breakage: { call: Call; fault: CallFault } | null = null;
  /** Whether the fault has happened. */
  hasFailed = false;

  constructor(direct: SendRequest) {
    this.#direct = direct;
  }

  /**
   * Starts a new visit. `breakage` names the call that fails and the fault; null: no call fails.
   */
  open(breakage: { call: Call; fault: CallFault } | null): void {
    this.#calls = [];
    this.#registeredCalls = new WeakMap();
    this.#breakage = breakage;
    this.hasFailed = false;
  }

  /** Ends the fault: no later call fails. */
  stopFailing(): void {
    this.#breakage = null;
  }

  get calls(): readonly SentCall[] {
    return this.#calls;
  }

  #registerCall(request: Request): SentCall {
    // A retry counts as the same call.
    const registeredCall = this.#registeredCalls.get(request);
    if (registeredCall) return registeredCall;
    const path = new URL(request.url).pathname.replace(/^\/api\//, '');
    const time = this.#calls.filter((each) => each.path === path).length + 1;
    const call = { path, time, hasIdempotencyKey: request.headers.has('idempotency-key') };
    this.#calls.push(call);
    this.#registeredCalls.set(request, call);
    return call;
  }

  readonly send: SendRequest = async (request) => {
    if (!new URL(request.url).pathname.startsWith('/api/')) return this.#direct(request);
    const call = this.#registerCall(request);
    const breakage = this.#breakage;
    if (breakage === null || !isSameCall(breakage.call, call)) return this.#direct(request);
    this.hasFailed = true;
    const { url, method, headers } = request;
    const body = method === 'GET' ? null : await request.clone().text();
    // Leaving a page does not cancel a request that is already sent.
    return breakage.fault(() => this.#direct(new Request(url, { method, headers, body })));
  };
}
