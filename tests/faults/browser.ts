import { BroadcastChannel } from 'node:worker_threads';

/** Browser globals for flows that run in Node: one customer's browser, whose tabs share storage. */

class MemoryStorage {
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

const storages = [new MemoryStorage(), new MemoryStorage()] as const;

/** In Node a channel that the page leaves open would keep the process alive. */
class TabChannel extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    this.unref();
  }
}

const defineGlobal = (name: string, value: unknown): void =>
  void Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Sends a request as a page of the shop does. */
export type SendRequest = (request: Request) => Promise<Response>;

/**
 * Opens a page of the shop at `origin`: sets the browser globals that flows expect.
 * @param send receives every request of the page
 * @param store the JSON text of the store that is delivered with each page
 */
export function installBrowserGlobals(origin: string, send: SendRequest, store: string): void {
  defineGlobal('localStorage', storages[0]);
  defineGlobal('sessionStorage', storages[1]);
  defineGlobal('document', {
    documentElement: { lang: 'en' },
    querySelector: (name: string) => (name === '#store' ? { textContent: store } : null),
  });
  // No Web Locks: in Node a page that is left would keep its locks.
  defineGlobal('navigator', { userAgent: 'Node' });
  setLocation(origin);
  defineGlobal('history', { state: null, replaceState: (_: unknown, _title: string, url: string) => setLocation(url) });
  defineGlobal('BroadcastChannel', TabChannel);
  defineGlobal('addEventListener', () => undefined);
  defineGlobal('removeEventListener', () => undefined);
  defineGlobal('fetch', (input: Request | string, init?: RequestInit) =>
    send(typeof input === 'string' ? new Request(new URL(input, location.href), init) : input),
  );
}

/** Changes the URL in the address bar; loads nothing. */
export function setLocation(url: string): void {
  defineGlobal('location', new URL(url, globalThis.location?.href));
}

/** Clears the browser's storage, so that the next customer starts with a new browser. */
export function clearStorages(): void {
  for (const storage of storages) storage.clear();
}
