/** Text that is already XML, so that it is not escaped again. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const REPLACEMENTS: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const SPECIAL = /[&<>"']/g;
// Characters that XML 1.0 forbids, even as references.
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

export const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN, '').replace(SPECIAL, (character) => REPLACEMENTS[character] ?? character);

export type Value = string | number | boolean | Markup | null | undefined;

const toXmlText = (value: string | number | boolean | Markup): string =>
  value instanceof Markup ? value.text : typeof value === 'string' ? escapeXml(value) : String(value);

/** The tag that opens an element; attributes without a value are left out. */
function openTag(name: string, attributes: Record<string, Value>): string {
  let open = `<${name}`;
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) open += ` ${key}="${toXmlText(value)}"`;
  return `${open}>`;
}

/** One element. Attributes and fields without a value are left out. */
export function element(name: string, content: Value | Markup[], attributes: Record<string, Value> = {}): Markup {
  const body = Array.isArray(content)
    ? content.map((each) => each.text).join('')
    : content === null || content === undefined
      ? ''
      : toXmlText(content);
  return new Markup(`${openTag(name, attributes)}${body}</${name}>`);
}

/** An element for each field that has a value, in the order given. */
export function fields(record: Record<string, Value>): Markup {
  let text = '';
  for (const [name, value] of Object.entries(record))
    if (value !== null && value !== undefined) text += `<${name}>${toXmlText(value)}</${name}>`;
  return new Markup(text);
}

/** Repeated children, for a list inside its plural element; an empty list has no element. */
export const renderItems = (name: string, items: readonly string[]): Markup | undefined =>
  items.length === 0 ? undefined : new Markup(items.map((item) => `<${name}>${escapeXml(item)}</${name}>`).join(''));

export const xmlDocument = (root: Markup): string => `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}`;

/** A document that is streamed piece by piece, so that it is never in memory as a whole. */
export class MarkupStream {
  readonly texts: AsyncIterable<string>;

  constructor(texts: AsyncIterable<string>) {
    this.texts = texts;
  }
}

/**
 * A streamed document of one element; an error on the way truncates it, so that readers cannot
 * mistake it for complete.
 */
export const streamedDocument = (name: string, attributes: Record<string, Value>, content: AsyncIterable<Markup>): MarkupStream =>
  new MarkupStream(
    (async function* texts() {
      yield xmlDocument(new Markup(openTag(name, attributes)));
      for await (const part of content) yield part.text;
      yield `</${name}>`;
    })(),
  );
