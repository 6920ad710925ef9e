import { decode } from './decode-url.ts';
import { createNameFinder } from './loose-names.ts';

/** A percent-encoded path segment; foliate leaves some characters of it escaped. */
const encodeSegment = (segment: string): string => encodeURIComponent(decode(segment));

/** The address of a file of a book; `base` ends with a slash. */
export const toFileAddress = (name: string, base: string): string => `${base}${name.split('/').map(encodeSegment).join('/')}`;

/** The address of a resource as foliate looks it up; null where the book has no such resource. */
export type FindResource = (address: string) => string | null;

/** Characters that foliate takes for the end of an address in a style. */
const STYLE_DELIMITERS = /['()]/g;

/** An address that foliate resolves to this name, in the package's spelling. */
const toRootAddress = (name: string): string =>
  `/${encodeURI(name).replace(STYLE_DELIMITERS, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;

/** Finds resources by their addresses in the files of a book; `names` are those of its package. */
export const createResourceFinder = (names: readonly string[], base: string): ((file: string) => FindResource) => {
  const findName = createNameFinder(names.map((name) => [name, name]));
  return (file) => (address) => {
    const target = /^(#|$)/.test(address) ? null : URL.parse(address, toFileAddress(file, base));
    if (target === null || !target.href.startsWith(base)) return null;
    const name = findName(decode(target.href.slice(base.length).replace(/[?#].*$/, '')));
    return name === undefined ? null : toRootAddress(name);
  };
};

/** A style with its resources' addresses as foliate looks them up. */
export const rewriteStyle = (style: string, find: FindResource): string =>
  style.replace(
    /(url\(\s*|@import\s+(?=["']))(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]+))/gi,
    (match, prefix: string, ...[double, single, bare]: (string | undefined)[]) => {
      const resource = find(double ?? single ?? bare ?? '');
      return resource === null ? match : `${prefix}"${resource}"`;
    },
  );
