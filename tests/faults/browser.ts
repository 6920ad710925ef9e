import { BroadcastChannel } from 'node:worker_threads';

/** What pages use of a browser, for flows that run in Node: one customer's browser, whose tabs share what it keeps. */

class KeptInMemory {
  readonly #items = new Map<string, string>();
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#items.set(key, value);
  }
  removeItem(key: string): void {
    this.#items.delete(key);
  }
  clear(): void {
    this.#items.clear();
  }
}

const kept = [new KeptInMemory(), new KeptInMemory()] as const;

/** In Node a channel that its page leaves open would keep the process. */
class TabChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    this.unref();
  }
}

const define = (name: string, value: unknown): void =>
  void Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Sends a request as a page of the shop does. */
export type Send = (request: Request) => Promise<Response>;

/**
 * Opens a page of the shop at `origin`: from now on flows find the browser that they expect.
 * @param send is given every request of the page
 * @param store what comes with each page
 */
export function openBrowser(origin: string, send: Send, store: string): void {
  define('localStorage', kept[0]);
  define('sessionStorage', kept[1]);
  define('document', {
    documentElement: { lang: 'en' },
    querySelector: (name: string) => (name === '#store' ? { textContent: store } : null),
  });
  // Without locks, which a page that goes away would leave behind here.
  define('navigator', { userAgent: 'Node' });
  goTo(origin);
  define('history', { state: null, replaceState: (_: unknown, _title: string, to: string) => goTo(to) });
  define('BroadcastChannel', TabChannel);
  define('addEventListener', () => undefined);
  define('removeEventListener', () => undefined);
  define('fetch', (to: Request | string, init?: RequestInit) =>
    send(typeof to === 'string' ? new Request(new URL(to, location.href), init) : to),
  );
}

/** Takes the address bar somewhere else; nothing is loaded. */
export function goTo(address: string): void {
  define('location', new URL(address, globalThis.location?.href));
}

/** Forgets all that the browser keeps: another customer's is next. */
export function forgetAll(): void {
  for (const storage of kept) storage.clear();
}
