import { decoded } from './decoded.ts';
import { findByName } from './loose-names.ts';

/** A part of a name as in an address; foliate leaves some signs of a name escaped. */
const encoded = (part: string): string => encodeURIComponent(decoded(part));

/** The address of a file of a book; `base` ends with a slash. */
export const addressOf = (name: string, base: string): string => `${base}${name.split('/').map(encoded).join('/')}`;

/** The address of a resource as foliate looks for it; null where the book has no such resource. */
export type FindResource = (address: string) => string | null;

/** Signs that foliate takes for the end of an address in a style. */
const SIGNS_IN_STYLES = /['()]/g;

/** The address from which foliate gets back this name, in the spelling of the package. */
const rootAddress = (name: string): string =>
  `/${encodeURI(name).replace(SIGNS_IN_STYLES, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;

/** Finds resources by their addresses in the files of a book; `names` are those of its package. */
export const resourceFinder = (names: readonly string[], base: string): ((file: string) => FindResource) => {
  const nameOf = findByName(names.map((name) => [name, name]));
  return (file) => (address) => {
    const target = /^(#|$)/.test(address) ? null : URL.parse(address, addressOf(file, base));
    if (target === null || !target.href.startsWith(base)) return null;
    const name = nameOf(decoded(target.href.slice(base.length).replace(/[?#].*$/, '')));
    return name === undefined ? null : rootAddress(name);
  };
};

/** A style with the addresses of its resources as foliate looks for them. */
export const placedStyle = (style: string, find: FindResource): string =>
  style.replace(
    /(url\(\s*|@import\s+(?=["']))(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]+))/gi,
    (all, before: string, ...[double, single, bare]: (string | undefined)[]) => {
      const found = find(double ?? single ?? bare ?? '');
      return found === null ? all : `${before}"${found}"`;
    },
  );
