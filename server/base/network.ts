import { isIPv4, isIPv6 } from 'node:net';

/** Used in place of a network: all callers whose address a proxy has garbled share it. */
const UNKNOWN_NETWORK = 'unknown';

/** An address without the port, brackets or zone that some proxies add. */
function toBareAddress(address: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  return bare.replace(/%.*$/, '');
}

/** The eight groups of an IPv6 address, as numbers. */
function parseGroups(address: string): number[] {
  // URL parsing normalises the address: dotted endings become groups, and at most one `::` remains.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [leadingGroups = [], trailingGroups = []] = canonical
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - leadingGroups.length - trailingGroups.length }, () => '0');
  return [...leadingGroups, ...zeros, ...trailingGroups].map((group) => Number.parseInt(group, 16));
}

/**
 * Groups before an IPv4 address within an IPv6 one: mapped (RFC 4291) and translated (RFC 6052).
 */
const IPV4_PREFIXES = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

/**
 * The networks of an address, the narrowest first: an IPv4 address itself, in any spelling; the /64
 * and the /48 of an IPv6 address, since one subscriber line may have all of either.
 */
export function toNetworks(address: string): [string, ...string[]] {
  const bare = toBareAddress(address);
  if (isIPv4(bare)) return [bare];
  if (!isIPv6(bare)) return [UNKNOWN_NETWORK];
  const groups = parseGroups(bare);
  const isIPv4Within = IPV4_PREFIXES.some((prefix) => prefix.every((group, index) => group === groups[index]));
  if (isIPv4Within)
    return [
      groups
        .slice(6)
        .flatMap((group) => [group >> 8, group & 0xff])
        .join('.'),
    ];
  const texts = groups.map((group) => group.toString(16));
  return [`${texts.slice(0, 4).join(':')}::/64`, `${texts.slice(0, 3).join(':')}::/48`];
}

/** The narrowest network of an address. */
export const toNetwork = (address: string): string => toNetworks(address)[0];
