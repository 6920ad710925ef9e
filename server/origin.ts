import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Refusal } from './api/refusal.ts';
import type { ServerConfig } from './config.ts';
import type { Services } from './services.ts';
import type { Store } from './stores.ts';

/**
 * Whether a host that a request names is the server's own: that of PUBLIC_URL or, without one, `localhost` and every address of
 * a machine. Any other name may be somebody else's, pointed at this machine.
 */
function isOwnHost(name: string, { publicUrl }: ServerConfig): boolean {
  const hostname = name.toLowerCase();
  if (publicUrl !== undefined) return hostname === new URL(publicUrl).hostname;
  return hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/**
 * Where the store's customers find it, as an origin: at the host that it claims, else at the server's own, where the default
 * store is served as well. What a request says of its host counts only where the server knows that host.
 * @throws Refusal 400 unknown_host when the store has no host and the request names one that the server does not know
 */
export function originOf(store: Store, request: FastifyRequest, config: ServerConfig): string {
  const { publicUrl } = config;
  const asked = `${request.protocol}://${request.host}`;
  const atOwnHost = isOwnHost(request.hostname, config);
  if (store.host === null || (store.isDefault && atOwnHost)) {
    if (publicUrl !== undefined) return publicUrl;
    if (atOwnHost) return asked;
    throw new Refusal(400, 'This server is not known by that host. Its operator can set PUBLIC_URL.', { code: 'unknown_host' });
  }
  if (publicUrl !== undefined) return Object.assign(new URL(publicUrl), { hostname: store.host }).origin;
  return store.host === request.hostname.toLowerCase() ? asked : `${request.protocol}://${store.host}`;
}

/** The store whose pages the host of a request asks for. */
export const storeAsked = ({ stores, config }: Services, { hostname }: FastifyRequest): Promise<Store | undefined> =>
  stores.byHost(hostname.toLowerCase(), isOwnHost(hostname, config));
