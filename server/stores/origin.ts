import { isIP, isIPv4, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../kernel/errors.ts';
import type { ServerConfig } from '../base/config.ts';
import type { Store, Stores } from './stores.ts';

/**
 * A name (RFC 1123, and underscores as container networks use them), an IPv4 or a bracketed IPv6
 * address; an optional port.
 */
const HOST_PATTERN =
  /^(?<name>[a-z\d_](?:[a-z\d_-]*[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]*[a-z\d_])?)*\.?|\[[\da-f:.]+\])(?::(?<port>\d{1,5}))?$/i;
const MAX_NAME_CHARS = 255;
const MAX_PORT = 65_535;
const MAX_SHOWN_CHARS = 100;

/** Whether a Host header is exactly `name-or-address[:port]`. */
function isHost(text: string): boolean {
  const { name = '', port = '0' } = HOST_PATTERN.exec(text)?.groups ?? {};
  if (name === '' || name.length > MAX_NAME_CHARS || Number(port) > MAX_PORT) return false;
  return !name.startsWith('[') || isIPv6(name.slice(1, -1));
}

/**
 * Answers 400 to a malformed host, from the Host header or a trusted proxy, before any handler
 * runs. HTTP/1.0 may omit the host: such a request reaches no store's pages and gets no links.
 */
export function rejectMalformedHosts(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ host, raw }, reply) => {
    if (isHost(host) || (host === '' && raw.httpVersion === '1.0')) return undefined;
    const hostText = JSON.stringify(host.slice(0, MAX_SHOWN_CHARS));
    return reply
      .code(400)
      .type('text/plain; charset=utf-8')
      .send(`The host ${hostText} is malformed: expected a name or an address, and optionally a port, like books.example:8443.`);
  });
}

/**
 * The canonical form of an address, as URLs and network interfaces have it: IPv6 addresses have
 * many spellings.
 */
const normalizeAddress = (hostname: string): string =>
  hostname.startsWith('[') && URL.canParse(`http://${hostname}`) ? new URL(`http://${hostname}`).hostname.slice(1, -1) : hostname;

/** Whether a name (RFC 6761) or an address (IPv6 with or without brackets) is a loopback one. */
export function isLoopback(hostname: string): boolean {
  const address = normalizeAddress(hostname);
  return /(?:^|\.)localhost$/.test(hostname) || address === '::1' || (isIPv4(address) && address.startsWith('127.'));
}

/**
 * Whether an address is one of this machine's network interfaces. They may change while the shop
 * runs.
 */
function isInterface(hostname: string): boolean {
  const address = normalizeAddress(hostname);
  return (
    isIP(address) !== 0 &&
    Object.values(networkInterfaces()).some((addresses) => addresses?.some((each) => each.address === address))
  );
}

/**
 * Whether a host is the server's own: that of PUBLIC_URL or, without one, a loopback name or an
 * address of this machine. A stranger can point any other name, and any other address, at this
 * machine.
 */
function isOwnHost(hostname: string, { publicUrl }: ServerConfig): boolean {
  if (publicUrl !== undefined) return hostname === new URL(publicUrl).hostname;
  return isLoopback(hostname) || isInterface(hostname);
}

/** Whether browsers reach the shop by https, by PUBLIC_URL or the listening socket. */
export const isHttps = ({ server }: FastifyInstance, { publicUrl }: ServerConfig): boolean =>
  publicUrl === undefined ? server instanceof TlsServer : new URL(publicUrl).protocol === 'https:';

/**
 * An origin at a known host. Scheme and port come from PUBLIC_URL or the listening socket, never
 * from the request.
 */
function toOrigin(host: string, app: FastifyInstance, config: ServerConfig): string {
  const { publicUrl } = config;
  if (publicUrl !== undefined) return Object.assign(new URL(publicUrl), { hostname: host }).origin;
  const address = app.server.address();
  const port = address === null || typeof address === 'string' ? '' : `:${address.port}`;
  return new URL(`${isHttps(app, config) ? 'https' : 'http'}://${host}${port}`).origin;
}

/**
 * The store's public origin, for every link that leaves the shop: at the store's configured host,
 * else at the server's own. The request only chooses among hosts that the server knows. The default
 * store is served at the server's own hosts as well; its links stay there under PUBLIC_URL and
 * loopback names, but not under an address of a network interface: such a private address may be
 * another machine in the network of the customer who opens the link.
 * @throws DomainError bad_request unknown_host when the store has no host and the request names one
 * that the server does not know
 */
export function getStoreOrigin(store: Store, request: FastifyRequest, config: ServerConfig): string {
  const hostname = request.hostname.toLowerCase();
  const isOwn = isOwnHost(hostname, config);
  const keepsRequestedHost = store.isDefault && isOwn && (config.publicUrl !== undefined || isLoopback(hostname));
  if (store.host !== null && !keepsRequestedHost) return toOrigin(store.host, request.server, config);
  if (config.publicUrl !== undefined) return config.publicUrl;
  if (isOwn) return toOrigin(hostname, request.server, config);
  throw new DomainError('bad_request', `The shop has no host "${hostname}". Its operator can set PUBLIC_URL.`, {
    code: 'unknown_host',
  });
}

/** The store of a request's host, whose pages it gets. */
export function findRequestedStore(
  { stores, config }: { stores: Stores; config: ServerConfig },
  request: FastifyRequest,
): Promise<Store | undefined> {
  const hostname = request.hostname.toLowerCase();
  return stores.findByHost(hostname, isOwnHost(hostname, config));
}
