import { once } from 'node:events';
import {
  createServer,
  request as sendRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { CallFault } from '../faulty-network.ts';

type ProxiedRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer };

/** A key that stays the same when the browser retries a request by itself. */
const getRequestKey = ({ method, path, headers, body }: ProxiedRequest): string =>
  JSON.stringify([method, path, headers['idempotency-key'] ?? '', body.toString('base64')]);

/** The last number of the next proxy's loopback address, from 127.0.0.2. */
let nextHostNumber = 2;

/**
 * A proxy between one browser and the shop, on its own loopback address and the shop's port. The
 * shop accepts such hosts, so that its links point to the proxy. The proxy breaks one API call on
 * the network: connections drop, responses are cut off or never arrive.
 */
export class FaultyProxy {
  readonly #server: Server;
  readonly #target: URL;
  #breakage: { call: string; fault: CallFault } | null = null;
  /**
   * The key of the broken request. When the browser retries the request, the retry is broken, too.
   */
  #brokenKey: string | null = null;
  /** Whether the fault has happened. */
  hasFailed = false;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((request, response) => void this.#handle(request, response).catch(() => response.destroy()));
  }

  /** @param shopUrl origin of the shop, which must listen on 127.0.0.1 alone */
  static async start(shopUrl: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(shopUrl);
    proxy.#server.listen(Number(proxy.#target.port), `127.0.0.${nextHostNumber}`);
    nextHostNumber += 1;
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get origin(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `http://${address}:${port}`;
  }

  /** Makes the next request to the API path `call` fail with `fault`, as well as its retries. */
  breakCall(call: string, fault: CallFault): void {
    this.#breakage = { call, fault };
    this.#brokenKey = null;
    this.hasFailed = false;
  }

  /** Ends a fault that has happened, once the customer has pressed a button or left the page. */
  stopFailing(): void {
    if (this.hasFailed) this.#breakage = null;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #findFault(proxiedRequest: ProxiedRequest): CallFault | null {
    const breakage = this.#breakage;
    if (breakage === null || new URL(proxiedRequest.path, this.#target).pathname !== `/api/${breakage.call}`) return null;
    const key = getRequestKey(proxiedRequest);
    this.#brokenKey ??= key;
    return this.#brokenKey === key ? breakage.fault : null;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const proxiedRequest: ProxiedRequest = { method, path, headers, body: await buffer(request) };
    const fault = this.#findFault(proxiedRequest);
    if (fault === null) return this.#forward(proxiedRequest, response);
    this.hasFailed = true;
    let shopResponse: Response;
    try {
      shopResponse = await fault(() => this.#fetch(proxiedRequest));
    } catch (error) {
      // The page itself must time out.
      if (error instanceof DOMException && error.name === 'TimeoutError') return;
      response.destroy();
      return;
    }
    response.writeHead(shopResponse.status, { 'content-type': shopResponse.headers.get('content-type') ?? 'text/plain' });
    // The response is cut off where the upstream response is.
    for await (const chunk of shopResponse.body ?? []) await new Promise((resolve) => response.write(chunk, resolve));
    response.end();
  }

  #send({ method, path, headers, body }: ProxiedRequest): Promise<IncomingMessage> {
    const { port } = this.#target;
    return new Promise((resolve, reject) => {
      const outgoing = sendRequest({ hostname: '127.0.0.1', port, method, path, headers, agent: false }, resolve).on(
        'error',
        reject,
      );
      outgoing.end(body);
    });
  }

  async #forward(proxiedRequest: ProxiedRequest, response: ServerResponse): Promise<void> {
    const shopResponse = await this.#send(proxiedRequest);
    const { connection: _, ...headers } = shopResponse.headers;
    response.writeHead(shopResponse.statusCode ?? 502, headers);
    shopResponse.on('error', () => response.destroy()).pipe(response);
  }

  async #fetch(proxiedRequest: ProxiedRequest): Promise<Response> {
    // Requests an uncompressed response, since it may be cut off.
    const { 'accept-encoding': _, ...headers } = proxiedRequest.headers;
    const shopResponse = await this.#send({ ...proxiedRequest, headers });
    const body = await buffer(shopResponse);
    const { statusCode = 502 } = shopResponse;
    const type = shopResponse.headers['content-type'] ?? 'text/plain';
    return new Response(statusCode === 204 ? null : new Uint8Array(body), {
      status: statusCode,
      headers: { 'content-type': type },
    });
  }
}
