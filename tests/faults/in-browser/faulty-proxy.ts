import { once } from 'node:events';
import {
  createServer,
  request as ask,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Fault } from '../line.ts';

type Asked = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };

/** What is the same when a browser sends a call once more by itself. */
const nameOf = ({ method, path, headers, body }: Asked): string =>
  JSON.stringify([method, path, headers['idempotency-key'] ?? '', body.toString('base64')]);

/** The loopback address of the next proxy: 127.0.0.2 and up. */
let nextAddress = 2;

/**
 * A proxy between one browser and the shop, on a loopback address of its own and the shop's port:
 * the shop knows such hosts, so that its links lead back to the proxy. It lets one call of the API
 * go wrong on the wire itself: connections break, answers end in the middle or never come.
 */
export class FaultyProxy {
  readonly #server: Server;
  readonly #target: URL;
  #broken: { call: string; fault: Fault } | null = null;
  /** The request that has gone wrong; where the browser tries it again, it does again. */
  #struck: string | null = null;
  /** Whether what was to go wrong has. */
  hasFailed = false;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((request, response) => void this.#handle(request, response).catch(() => response.destroy()));
  }

  /** @param shop its origin; it must listen to 127.0.0.1 alone */
  static async before(shop: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(shop);
    proxy.#server.listen(Number(proxy.#target.port), `127.0.0.${nextAddress}`);
    nextAddress += 1;
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get origin(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  /** The next time that `call` is made, `fault` befalls it. */
  break(call: string, fault: Fault): void {
    this.#broken = { call, fault };
    this.#struck = null;
    this.hasFailed = false;
  }

  /** What has gone wrong does so no more: somebody has pressed something, or gone elsewhere. */
  mend(): void {
    if (this.hasFailed) this.#broken = null;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #isBroken(asked: Asked): Fault | null {
    const broken = this.#broken;
    if (broken === null || new URL(asked.path, this.#target).pathname !== `/api/${broken.call}`) return null;
    const name = nameOf(asked);
    this.#struck ??= name;
    return this.#struck === name ? broken.fault : null;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const asked: Asked = { method, path, headers, body: await buffer(request) };
    const fault = this.#isBroken(asked);
    if (fault === null) return this.#pass(asked, response);
    this.hasFailed = true;
    let answer: Response;
    try {
      answer = await fault(() => this.#fetch(asked));
    } catch (error) {
      // It is for the page to give up.
      if (error instanceof DOMException && error.name === 'TimeoutError') return;
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    // Ends in the middle where the answer does.
    for await (const part of answer.body ?? []) await new Promise((written) => response.write(part, written));
    response.end();
  }

  #send({ method, path, headers, body }: Asked): Promise<IncomingMessage> {
    const { port } = this.#target;
    return new Promise((resolve, reject) => {
      const out = ask({ hostname: '127.0.0.1', port, method, path, headers, agent: false }, resolve).on('error', reject);
      out.end(body);
    });
  }

  async #pass(asked: Asked, response: ServerResponse): Promise<void> {
    const answer = await this.#send(asked);
    const { connection: _, ...headers } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, headers);
    answer.on('error', () => response.destroy()).pipe(response);
  }

  async #fetch(asked: Asked): Promise<Response> {
    // As it is, not compressed: it may be cut.
    const { 'accept-encoding': _, ...headers } = asked.headers;
    const answer = await this.#send({ ...asked, headers });
    const body = await buffer(answer);
    const { statusCode = 502 } = answer;
    const type = answer.headers['content-type'] ?? 'text/plain';
    return new Response(statusCode === 204 ? null : new Uint8Array(body), {
      status: statusCode,
      headers: { 'content-type': type },
    });
  }
}
