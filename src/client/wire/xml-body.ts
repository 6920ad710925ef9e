const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Characters that no XML document may hold, not even escaped. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const escaped = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"']/g, (character) => escapes[character] ?? '');

type Fields = { readonly [name: string]: Content };
type Content = string | number | boolean | null | undefined | Fields | readonly Content[];

const element = (name: string, content: Content): string => {
  if (content === undefined || content === null) return '';
  if (typeof content !== 'object') return `<${name}>${escaped(String(content))}</${name}>`;
  const parts = Object.entries(content).map(([part, value]: [string, Content]) =>
    // The parts of a list are named as the list, in the singular.
    element(Array.isArray(content) ? name.replace(/s$/, '') : part, value),
  );
  return `<${name}>${parts.join('')}</${name}>`;
};

/** Serialises the fields of a request into an XML document with the root element `name`; absent ones are left out. */
export const xmlBody =
  (name: string) =>
  (fields: Fields): string =>
    `<?xml version="1.0" encoding="UTF-8"?>${element(name, fields)}`;
