import { expect, type Page, type Request, type Route } from '@playwright/test';
import type { Port, Wire } from './stage.ts';

type Respond = (route: Route, url: URL) => Promise<void>;

/** The requests of a machine's ports, each kept waiting until the tour says what becomes of it. */
export class Held {
  readonly page: Page;
  readonly ports: Record<string, Port>;
  private readonly waiting = new Map<Request, { ports: string[]; route: Route }>();
  private readonly responding = new Map<string, Respond>();

  constructor(page: Page, ports: Record<string, Port>) {
    this.page = page;
    this.ports = ports;
  }

  /** More than one where a machine asks the same thing at several places. */
  private portsOf(url: URL, method: string): string[] {
    return Object.keys(this.ports).filter((name) => this.ports[name]?.asks(url, method));
  }

  async start(): Promise<void> {
    // Who asked may no longer want to know.
    this.page.on('requestfailed', (request) => this.waiting.delete(request));
    await this.page.route(
      (url) => ['GET', 'POST'].some((method) => this.portsOf(url, method).length > 0),
      async (route) => {
        const request = route.request();
        const url = new URL(request.url());
        const ports = this.portsOf(url, request.method());
        if (ports.length === 0) return route.fallback();
        const respond = ports.flatMap((port) => this.responding.get(port) ?? [])[0];
        if (respond) return answered(respond(route, url));
        this.waiting.set(request, { ports, route });
      },
    );
  }

  waitingFor(port: string): [Request, Route][] {
    return [...this.waiting].filter(([, held]) => held.ports.includes(port)).map(([request, { route }]) => [request, route]);
  }

  /** Answers what the port has asked, and what it goes on to ask until `let`; it must have asked something. */
  async settle(port: string, respond: Respond): Promise<void> {
    await expect.poll(() => this.waitingFor(port).length, { message: `${port} sends its request` }).toBeGreaterThan(0);
    await this.respond(port, respond);
  }

  /** Leaves to the shop what waits, or comes, of those who ask the same as the port. */
  letThrough(port: string): Promise<void> {
    return this.respond(port, (route) => route.continue());
  }

  private async respond(port: string, respond: Respond): Promise<void> {
    this.responding.set(port, respond);
    for (const [request, route] of this.waitingFor(port)) {
      this.waiting.delete(request);
      await answered(respond(route, new URL(request.url())));
    }
  }

  /** From now on the port's requests wait again. */
  holdAgain(port: string): void {
    this.responding.delete(port);
  }
}

/** A request that its page has given up meanwhile needs no answer. */
const answered = (responding: Promise<void>): Promise<void> =>
  responding.catch((error: unknown) => {
    if (!/already handled|disposed|has been closed|Test ended|Invalid InterceptionId|not found/i.test(String(error))) throw error;
  });

export const send = async (route: Route, wire: Wire): Promise<void> => {
  if (wire === 'silent') return;
  if (wire === 'lost') return route.abort('connectionrefused');
  return route.fulfill(wire);
};
