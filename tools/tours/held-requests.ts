import { expect, type Page, type Request, type Route } from '@playwright/test';
import type { Port, StubResponse } from './browser-adapter.ts';

type Respond = (route: Route, url: URL) => Promise<void>;

/** The requests of a machine's ports, held until the walk settles them. */
export class HeldRequests {
  readonly page: Page;
  readonly ports: Record<string, Port>;
  private readonly heldRequests = new Map<Request, { ports: string[]; route: Route }>();
  private readonly respondByPort = new Map<string, Respond>();

  constructor(page: Page, ports: Record<string, Port>) {
    this.page = page;
    this.ports = ports;
  }

  /** Returns several ports if a machine sends the same request in several states. */
  private findPorts(url: URL, method: string): string[] {
    return Object.keys(this.ports).filter((name) => this.ports[name]?.matches(url, method));
  }

  /** Holds the ports' requests from now on. */
  async start(): Promise<void> {
    // The page may have cancelled the request.
    this.page.on('requestfailed', (request) => this.heldRequests.delete(request));
    await this.page.route(
      (url) => ['GET', 'POST'].some((method) => this.findPorts(url, method).length > 0),
      async (route) => {
        const request = route.request();
        const url = new URL(request.url());
        const ports = this.findPorts(url, request.method());
        if (ports.length === 0) return route.fallback();
        const respond = ports.flatMap((port) => this.respondByPort.get(port) ?? [])[0];
        if (respond) return ignoreClosedPage(respond(route, url));
        this.heldRequests.set(request, { ports, route });
      },
    );
  }

  /** Returns the port's held requests with their routes. */
  getHeldRequests(port: string): [Request, Route][] {
    return [...this.heldRequests].filter(([, { ports }]) => ports.includes(port)).map(([request, { route }]) => [request, route]);
  }

  /**
   * Responds to the port's held requests, and to later ones until `holdAgain`. Waits for the first
   * request, and fails if the port sends none.
   */
  async settle(port: string, respond: Respond): Promise<void> {
    await expect.poll(() => this.getHeldRequests(port).length, { message: `${port} sends its request` }).toBeGreaterThan(0);
    await this.respond(port, respond);
  }

  /** Passes held and later requests that match the port through to the shop. */
  letThrough(port: string): Promise<void> {
    return this.respond(port, (route) => route.continue());
  }

  private async respond(port: string, respond: Respond): Promise<void> {
    this.respondByPort.set(port, respond);
    for (const [request, route] of this.getHeldRequests(port)) {
      this.heldRequests.delete(request);
      await ignoreClosedPage(respond(route, new URL(request.url())));
    }
  }

  /** Holds the port's requests again from now on. */
  holdAgain(port: string): void {
    this.respondByPort.delete(port);
  }
}

/** Ignores the error of a response to a request that the page has cancelled. */
const ignoreClosedPage = (responsePromise: Promise<void>): Promise<void> =>
  responsePromise.catch((error: unknown) => {
    if (!/already handled|disposed|has been closed|Test ended|Invalid InterceptionId|not found/i.test(String(error))) throw error;
  });

export const sendResponse = async (route: Route, response: StubResponse): Promise<void> => {
  if (response === 'silent') return;
  if (response === 'lost') return route.abort('connectionrefused');
  return route.fulfill(response);
};
