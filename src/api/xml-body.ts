const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Characters that no XML document may hold, not even escaped. */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;

const escaped = (text: string): string =>
  text.replace(forbidden, '').replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** Serialises the plain fields of a request into an XML document with the root element `name`; absent ones are left out. */
export const xmlBody =
  (name: string) =>
  (fields: Readonly<Record<string, unknown>>): string => {
    const elements = Object.entries(fields)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([field, value]) => `<${field}>${escaped(String(value))}</${field}>`);
    return `<?xml version="1.0" encoding="UTF-8"?><${name}>${elements.join('')}</${name}>`;
  };
