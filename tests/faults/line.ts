import type { Send } from './browser.ts';

/** What a page has asked: the call of the API, and which time it was. */
export type Call = { path: string; time: number };

/** A call's name in tables. */
export const nameOfCall = ({ path, time }: Call): string => (time === 1 ? path : `${path} (${time})`);

/** One that was sent: `changes` says that it carries an idempotency key. */
export type SentCall = Call & { changes: boolean };

/** What goes wrong with a call: `send` does it, whether or not the page is still there. */
export type Fault = (send: () => Promise<Response>) => Promise<Response>;

const sameCall = (one: Call, other: Call): boolean => one.path === other.path && one.time === other.time;

/**
 * The line between a page and the shop. It notes what is asked, and lets one call go wrong: that call alone, with all its tries.
 * `direct` is the network itself.
 */
export class Line {
  readonly #direct: Send;
  #calls: SentCall[] = [];
  #known = new WeakMap<Request, SentCall>();
  #broken: { call: Call; fault: Fault } | null = null;
  /** Whether what was to go wrong has. */
  hasFailed = false;

  constructor(direct: Send) {
    this.#direct = direct;
  }

  /** A new visit; `fault` befalls one call of it. */
  open(broken: { call: Call; fault: Fault } | null): void {
    this.#calls = [];
    this.#known = new WeakMap();
    this.#broken = broken;
    this.hasFailed = false;
  }

  /** Nothing goes wrong from now on. */
  mend(): void {
    this.#broken = null;
  }

  get calls(): readonly SentCall[] {
    return this.#calls;
  }

  #callOf(request: Request): SentCall {
    // What is tried again is the same call.
    const known = this.#known.get(request);
    if (known) return known;
    const path = new URL(request.url).pathname.replace(/^\/api\//, '');
    const time = this.#calls.filter((each) => each.path === path).length + 1;
    const call = { path, time, changes: request.headers.has('idempotency-key') };
    this.#calls.push(call);
    this.#known.set(request, call);
    return call;
  }

  readonly send: Send = async (request) => {
    if (!new URL(request.url).pathname.startsWith('/api/')) return this.#direct(request);
    const call = this.#callOf(request);
    const broken = this.#broken;
    if (broken === null || !sameCall(broken.call, call)) return this.#direct(request);
    this.hasFailed = true;
    const { url, method, headers } = request;
    const body = method === 'GET' ? null : await request.clone().text();
    // A page that goes away takes nothing back that is on its way.
    return broken.fault(() => this.#direct(new Request(url, { method, headers, body })));
  };
}
