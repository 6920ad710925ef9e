import { posix } from 'node:path';

/** An address within the container: the entry's name, and the fragment in it, decoded as written, empty when there is none. */
export type BookAddress = { path: string; fragment: string };

/** Where an address in the document `from` leads; `null` when out of the book, to another site or above its root. */
export function resolveHref(from: string, href: string): BookAddress | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith('//')) return null;
  const [address = '', fragment = ''] = href.split('#', 2);
  const written = decodeAddress(address.split('?', 1)[0] ?? '');
  const folder = written.startsWith('/') ? '' : posix.dirname(from);
  const path = written === '' ? from : posix.join(folder, written).replace(/^\/+/, '');
  return path.split('/').includes('..') ? null : { path: path.normalize('NFC'), fragment };
}

/** As an address relative to the book's root, each segment encoded. */
export function hrefOf({ path, fragment }: BookAddress): string {
  const address = path.split('/').map(encodeURIComponent).join('/');
  return fragment === '' ? address : `${address}#${fragment}`;
}

/** Undoes percent-encoding; a broken one stays as written, since some books name their files with bare percent signs. */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
