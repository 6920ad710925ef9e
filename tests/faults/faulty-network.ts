import type { SendRequest } from './browser.ts';

/** A call of the API, and how many times its path has been called. */
export type Call = { path: string; time: number };

/** A call's name in tables. */
export const formatCallName = ({ path, time }: Call): string => (time === 1 ? path : `${path} (${time})`);

/** A sent call. `changes`: it carries an idempotency key. */
export type SentCall = Call & { changes: boolean };

/** A fault of a call. `send` sends the request, whether or not the page still exists. */
export type CallFault = (send: () => Promise<Response>) => Promise<Response>;

const isSameCall = (one: Call, other: Call): boolean => one.path === other.path && one.time === other.time;

/**
 * The network between a page and the shop: records the calls, and breaks one of them with all its
 * retries.
 * `direct` is the working network.
 */
export class FaultyNetwork {
  readonly #direct: SendRequest;
  #calls: SentCall[] = [];
  #known = new WeakMap<Request, SentCall>();
  #broken: { call: Call; fault: CallFault } | null = null;
  /** Whether the fault has happened. */
  hasFailed = false;

  constructor(direct: SendRequest) {
    this.#direct = direct;
  }

  /** Starts a new visit; `fault` breaks one call of it. */
  open(broken: { call: Call; fault: CallFault } | null): void {
    this.#calls = [];
    this.#known = new WeakMap();
    this.#broken = broken;
    this.hasFailed = false;
  }

  /** No call fails from now on. */
  stopFailing(): void {
    this.#broken = null;
  }

  get calls(): readonly SentCall[] {
    return this.#calls;
  }

  #callOf(request: Request): SentCall {
    // A retry counts as the same call.
    const known = this.#known.get(request);
    if (known) return known;
    const path = new URL(request.url).pathname.replace(/^\/api\//, '');
    const time = this.#calls.filter((each) => each.path === path).length + 1;
    const call = { path, time, changes: request.headers.has('idempotency-key') };
    this.#calls.push(call);
    this.#known.set(request, call);
    return call;
  }

  readonly send: SendRequest = async (request) => {
    if (!new URL(request.url).pathname.startsWith('/api/')) return this.#direct(request);
    const call = this.#callOf(request);
    const broken = this.#broken;
    if (broken === null || !isSameCall(broken.call, call)) return this.#direct(request);
    this.hasFailed = true;
    const { url, method, headers } = request;
    const body = method === 'GET' ? null : await request.clone().text();
    // Leaving a page does not take back a request that is already sent.
    return broken.fault(() => this.#direct(new Request(url, { method, headers, body })));
  };
}
