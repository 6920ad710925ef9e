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
const SPECIAL_CHARACTERS = /[&<>"']/g;
/** Characters that XML 1.0 forbids, even as references. */
const FORBIDDEN_CHARACTERS =
  // oxlint-disable-next-line no-control-regex -- control characters are matched on purpose
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

export const escapeXml = (text: string): string =>
  text.replace(FORBIDDEN_CHARACTERS, '').replace(SPECIAL_CHARACTERS, (character) => REPLACEMENTS[character] ?? character);

export type Value = string | number | boolean | Markup | null | undefined;

const toXmlText = (value: string | number | boolean | Markup): string =>
  value instanceof Markup ? value.text : typeof value === 'string' ? escapeXml(value) : String(value);

/** The tag that opens an element; attributes without a value are left out. */
function openTag(name: string, attributes: Record<string, Value>): string {
  let tag = `<${name}`;
  for (const [key, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) tag += ` ${key}="${toXmlText(value)}"`;
  return `${tag}>`;
}

/** One element. Attributes without a value are left out. */
export function renderElement(name: string, content: Value | Markup[], attributes: Record<string, Value> = {}): Markup {
  const body = Array.isArray(content)
    ? content.map((each) => each.text).join('')
    : content === null || content === undefined
      ? ''
      : toXmlText(content);
  return new Markup(`${openTag(name, attributes)}${body}</${name}>`);
}

/** An element for each field of the record that has a value, in the record's order. */
export function renderFields(record: Record<string, Value>): Markup {
  let text = '';
  for (const [name, value] of Object.entries(record))
    if (value !== null && value !== undefined) text += `<${name}>${toXmlText(value)}</${name}>`;
  return new Markup(text);
}

/** Repeated children, for a list inside its plural element; an empty list has no element. */
export const renderItems = (name: string, items: readonly string[]): Markup | undefined =>
  items.length === 0 ? undefined : new Markup(items.map((item) => `<${name}>${escapeXml(item)}</${name}>`).join(''));

export const renderDocument = (root: Markup): string => `<?xml version="1.0" encoding="UTF-8"?>\n${root.text}`;

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
export const createStreamedDocument = (
  name: string,
  attributes: Record<string, Value>,
  content: AsyncIterable<Markup>,
): MarkupStream =>
  new MarkupStream(
    (async function* texts() {
      yield renderDocument(new Markup(openTag(name, attributes)));
      for await (const markup of content) yield markup.text;
      yield `</${name}>`;
    })(),
  );
