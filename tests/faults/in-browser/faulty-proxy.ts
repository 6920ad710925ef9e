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
import type { CallFault } from '../faulty-network.ts';

type ProxiedRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };

/** Key that stays the same when the browser retries a request by itself. */
const requestKey = ({ method, path, headers, body }: ProxiedRequest): string =>
  JSON.stringify([method, path, headers['idempotency-key'] ?? '', body.toString('base64')]);

/** The loopback address of the next proxy: 127.0.0.2 and up. */
let nextHostNumber = 2;

/**
 * A proxy between one browser and the shop, on its own loopback address and the shop's port. The
 * shop accepts such hosts, so that its links point to the proxy. The proxy breaks one API call on
 * the network: connections drop, responses are cut off or never come.
 */
export class FaultyProxy {
  readonly #server: Server;
  readonly #target: URL;
  #broken: { call: string; fault: CallFault } | null = null;
  /** The request that was broken. When the browser retries it, it is broken again. */
  #struck: string | null = null;
  /** Whether the fault has happened. */
  hasFailed = false;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((request, response) => void this.#handle(request, response).catch(() => response.destroy()));
  }

  /** @param shop its origin; it must listen to 127.0.0.1 alone */
  static async before(shop: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(shop);
    proxy.#server.listen(Number(proxy.#target.port), `127.0.0.${nextHostNumber}`);
    nextHostNumber += 1;
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get origin(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  /** The next request to `call` suffers `fault`. */
  break(call: string, fault: CallFault): void {
    this.#broken = { call, fault };
    this.#struck = null;
    this.hasFailed = false;
  }

  /** Ends a fault that has happened, once the customer has pressed a button or left the page. */
  stopFailing(): void {
    if (this.hasFailed) this.#broken = null;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #isBroken(asked: ProxiedRequest): CallFault | null {
    const broken = this.#broken;
    if (broken === null || new URL(asked.path, this.#target).pathname !== `/api/${broken.call}`) return null;
    const name = requestKey(asked);
    this.#struck ??= name;
    return this.#struck === name ? broken.fault : null;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const asked: ProxiedRequest = { method, path, headers, body: await buffer(request) };
    const fault = this.#isBroken(asked);
    if (fault === null) return this.#pass(asked, response);
    this.hasFailed = true;
    let answer: Response;
    try {
      answer = await fault(() => this.#fetch(asked));
    } catch (error) {
      // The page itself must time out.
      if (error instanceof DOMException && error.name === 'TimeoutError') return;
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    // The response is cut off where the upstream response is.
    for await (const part of answer.body ?? []) await new Promise((written) => response.write(part, written));
    response.end();
  }

  #send({ method, path, headers, body }: ProxiedRequest): Promise<IncomingMessage> {
    const { port } = this.#target;
    return new Promise((resolve, reject) => {
      const out = ask({ hostname: '127.0.0.1', port, method, path, headers, agent: false }, resolve).on('error', reject);
      out.end(body);
    });
  }

  async #pass(asked: ProxiedRequest, response: ServerResponse): Promise<void> {
    const answer = await this.#send(asked);
    const { connection: _, ...headers } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, headers);
    answer.on('error', () => response.destroy()).pipe(response);
  }

  async #fetch(asked: ProxiedRequest): Promise<Response> {
    // Requests an uncompressed response, since it may be cut off.
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
