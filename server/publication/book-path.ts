import { posix } from 'node:path';

/**
 * An address within the container: `path` is the entry's name, decoded; `fragment` is as written,
 * empty without one.
 */
export type BookAddress = { path: string; fragment: string };

/**
 * Resolves an address in the document `from`; `null` when it points outside the book, to another
 * site or above its root.
 */
export function resolveHref(from: string, href: string): BookAddress | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith('//')) return null;
  const [address = '', fragment = ''] = href.split('#', 2);
  const decodedPath = decodeAddress(address.split('?', 1)[0] ?? '');
  const folder = decodedPath.startsWith('/') ? '' : posix.dirname(from);
  const path = decodedPath === '' ? from : posix.join(folder, decodedPath).replace(/^\/+/, '');
  return path.split('/').includes('..') ? null : { path: path.normalize('NFC'), fragment };
}

/** The address relative to the book's root, each segment encoded. */
export function toHref({ path, fragment }: BookAddress): string {
  const address = path.split('/').map(encodeURIComponent).join('/');
  return fragment === '' ? address : `${address}#${fragment}`;
}

/**
 * Decodes percent-encoding; an invalid one stays as written, since some books have file names with
 * bare percent signs.
 */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
