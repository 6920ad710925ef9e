const LONGEST = 60;

/** A name as the end of an address: spaces and slashes are dashes, at most 60 characters. */
export const slugOf = (name: string): string =>
  [...name.trim().replaceAll(/[\s/]+/g, '-')]
    .slice(0, LONGEST)
    .join('')
    .replaceAll(/^-+|-+$/g, '');

const part = (text: string): string => (text === '' ? '' : `/${encodeURIComponent(text.toWellFormed())}`);

/** The one address of a title, as the shop's pages link to it. */
export const titlePath = (id: string, name: string): string => `/id:${encodeURIComponent(id)}${part(slugOf(name))}`;

/** The list of a category: its name to be read, its id to be found again by. */
export const categoryPath = (type: string, { id, name }: { id: string; name: string }): string =>
  `/${type}${part(slugOf(name.toLowerCase()))}${part(id)}`;
