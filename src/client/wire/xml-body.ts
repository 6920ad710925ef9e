const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Characters that no XML document may hold, not even escaped. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, '').replace(/[&<>"']/g, (character) => escapes[character] ?? '');

type Fields = { readonly [name: string]: Content };
type Content = string | number | boolean | null | undefined | Fields | readonly Content[];

const serialize = (name: string, content: Content): string => {
  if (content === undefined || content === null) return '';
  if (typeof content !== 'object') return `<${name}>${escapeXml(String(content))}</${name}>`;
  const parts = Object.entries(content).map(([part, value]: [string, Content]) =>
    // The elements of a list get the list's name in the singular.
    serialize(Array.isArray(content) ? name.replace(/s$/, '') : part, value),
  );
  return `<${name}>${parts.join('')}</${name}>`;
};

/**
 * Serialises the fields of a request into an XML document with the root element `name`; absent
 * fields are left out.
 */
export const createXmlSerializer =
  (name: string) =>
  (fields: Fields): string =>
    `<?xml version="1.0" encoding="UTF-8"?>${serialize(name, fields)}`;
