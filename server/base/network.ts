import { isIPv4, isIPv6 } from 'node:net';

/** In the place of a network: all callers share it whose address a proxy has garbled. */
const UNKNOWN_NETWORK = 'unknown';

/** An address without what some proxies write around it: a port, brackets, a zone. */
function bareAddress(address: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
  return bare.replace(/%.*$/, '');
}

/** The eight groups of an IPv6 address, as numbers. */
function groupsOf(address: string): number[] {
  // A URL has one spelling for each address: dotted endings become groups, and one `::` may be
  // left.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
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
 * and the /48 of an IPv6 address, since one line may have all of either.
 */
export function networksOf(address: string): [string, ...string[]] {
  const bare = bareAddress(address);
  if (isIPv4(bare)) return [bare];
  if (!isIPv6(bare)) return [UNKNOWN_NETWORK];
  const groups = groupsOf(bare);
  const isIPv4Within = IPV4_PREFIXES.some((prefix) => prefix.every((group, at) => group === groups[at]));
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

/** The narrowest of them. */
export const networkOf = (address: string): string => networksOf(address)[0];
