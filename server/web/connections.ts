import type { EventEmitter } from 'node:events';
import { BlockList, isIPv6, type Server, type Socket } from 'node:net';
import { toNetwork } from '../base/network.ts';
import type { TrustedProxies } from '../base/config.ts';

/**
 * Milliseconds within which a new connection must start a request; Node only limits requests that
 * have started.
 */
const FIRST_BYTE_TIMEOUT_MS = 20_000;
/**
 * Open connections per client network: browsers open six for HTTP/1, and an office may share an
 * address.
 */
const MAX_PER_NETWORK = 512;

export type ConnectionLimits = {
  /** whether an address may open any number, as trusted proxies do for all their clients */
  isExempt: (address: string) => boolean;
  firstByteTimeout?: number;
  maxPerNetwork?: number;
};

/**
 * Exempts trusted proxies and this machine, where a proxy may run that is not configured. With a
 * number of proxies, only these connect.
 */
export function createProxyExemption(proxies: TrustedProxies): (address: string) => boolean {
  if (typeof proxies === 'number' && proxies > 0) return () => true;
  const exemptAddresses = new BlockList();
  exemptAddresses.addSubnet('127.0.0.0', 8);
  exemptAddresses.addAddress('::1', 'ipv6');
  for (const network of typeof proxies === 'number' ? [] : proxies) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    exemptAddresses.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) => exemptAddresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * Closes connections that send nothing, and those over the limit of their network: each takes
 * memory, and many from one client would keep others out.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { isExempt, firstByteTimeout = FIRST_BYTE_TIMEOUT_MS, maxPerNetwork = MAX_PER_NETWORK } = limits;
  const openConnections = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isExempt(address)) return;
    const network = toNetwork(address);
    const count = (openConnections.get(network) ?? 0) + 1;
    if (count > maxPerNetwork) return void socket.destroy();
    openConnections.set(network, count);
    socket.once('close', () => {
      const remaining = (openConnections.get(network) ?? 1) - 1;
      if (remaining === 0) openConnections.delete(network);
      else openConnections.set(network, remaining);
    });
  });
  const requireFirstByte = (socket: Socket): void => {
    const timer = setTimeout(() => {
      if (socket.bytesRead === 0) socket.destroy();
    }, firstByteTimeout).unref();
    socket.once('close', () => clearTimeout(timer));
  };
  // A TLS socket counts decrypted bytes: a handshake alone is not a request.
  server.on('connection', requireFirstByte);
  (server as EventEmitter).on('secureConnection', requireFirstByte);
}
