import { expect, type Page, type Request, type Route } from '@playwright/test';
import type { Port, StubResponse } from './browser-adapter.ts';

type Respond = (route: Route, url: URL) => Promise<void>;

/** The requests of a machine's ports, held until the walk settles them. */
export class Held {
  readonly page: Page;
  readonly ports: Record<string, Port>;
  private readonly waiting = new Map<Request, { ports: string[]; route: Route }>();
  private readonly responding = new Map<string, Respond>();

  constructor(page: Page, ports: Record<string, Port>) {
    this.page = page;
    this.ports = ports;
  }

  /** Several, if a machine sends the same request in several states. */
  private portsOf(url: URL, method: string): string[] {
    return Object.keys(this.ports).filter((name) => this.ports[name]?.asks(url, method));
  }

  async start(): Promise<void> {
    // The page may have cancelled the request.
    this.page.on('requestfailed', (request) => this.waiting.delete(request));
    await this.page.route(
      (url) => ['GET', 'POST'].some((method) => this.portsOf(url, method).length > 0),
      async (route) => {
        const request = route.request();
        const url = new URL(request.url());
        const ports = this.portsOf(url, request.method());
        if (ports.length === 0) return route.fallback();
        const respond = ports.flatMap((port) => this.responding.get(port) ?? [])[0];
        if (respond) return ignoreClosedPage(respond(route, url));
        this.waiting.set(request, { ports, route });
      },
    );
  }

  waitingFor(port: string): [Request, Route][] {
    return [...this.waiting].filter(([, held]) => held.ports.includes(port)).map(([request, { route }]) => [request, route]);
  }

  /**
   * Responds to the port's requests, and to later ones until `holdAgain`; fails if it has sent
   * none.
   */
  async settle(port: string, respond: Respond): Promise<void> {
    await expect.poll(() => this.waitingFor(port).length, { message: `${port} sends its request` }).toBeGreaterThan(0);
    await this.respond(port, respond);
  }

  /** Passes held and later requests that match the port through to the shop. */
  letThrough(port: string): Promise<void> {
    return this.respond(port, (route) => route.continue());
  }

  private async respond(port: string, respond: Respond): Promise<void> {
    this.responding.set(port, respond);
    for (const [request, route] of this.waitingFor(port)) {
      this.waiting.delete(request);
      await ignoreClosedPage(respond(route, new URL(request.url())));
    }
  }

  /** Holds the port's requests again from now on. */
  holdAgain(port: string): void {
    this.responding.delete(port);
  }
}

/** A request that its page has cancelled needs no response. */
const ignoreClosedPage = (responding: Promise<void>): Promise<void> =>
  responding.catch((error: unknown) => {
    if (!/already handled|disposed|has been closed|Test ended|Invalid InterceptionId|not found/i.test(String(error))) throw error;
  });

export const sendResponse = async (route: Route, wire: StubResponse): Promise<void> => {
  if (wire === 'silent') return;
  if (wire === 'lost') return route.abort('connectionrefused');
  return route.fulfill(wire);
};
