import type * as v from 'valibot';

/**
 * One element of an XML answer. Names are lower case without prefix; attributes stand among the children, so that a
 * field is found in any case, as attribute or as child.
 */
export type XmlNode = { name: string; text: string; children: XmlNode[] };

/** Bounds of a document: nothing that the store sends comes near them. */
export const deepestElement = 40;
export const mostElements = 200_000;

/** Whether a text begins as JSON does. */
export const isJson = (text: string): boolean => /^\s*[[{]/.test(text);

/** Whether an attribute is a field of its element: one with a prefix is another vocabulary's, such as `xsi:type`. */
export const isField = (attribute: string): boolean => !/^xmlns$|:/.test(attribute);

/** A name without prefix, in lower case. */
export const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase();

const nameOf = (name: string): string => name.toLowerCase();

export const childrenOf = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === nameOf(name)) ?? [];

export const childOf = (node: XmlNode | undefined, name: string): XmlNode | undefined => childrenOf(node, name)[0];

/** The items of a list: inside a plural wrapper, or repeated without one. */
export const itemsOf = (node: XmlNode | undefined, plural: string, item: string): XmlNode[] => {
  const wrapped = childrenOf(node, plural).flatMap((wrapper) => childrenOf(wrapper, item));
  return wrapped.length > 0 ? wrapped : childrenOf(node, item);
};

/** A field's text, undefined when it is absent or empty. */
export const textIn = (node: XmlNode | undefined, name: string): string | undefined => {
  const child = childrenOf(node, name).find((each) => each.text.trim() !== '');
  return child?.text.trim();
};

/**
 * A text's number. A time is its seconds: `hh:mm:ss` and `mm:ss` are how the specification writes them. A comma before one or
 * two digits parts no thousands.
 */
export const numberOf = (text: string): number =>
  /^(?:\d+:)?\d+:\d+(?:\.\d+)?$/.test(text)
    ? text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
    : Number(text.replace(/^(\d+),(\d\d?)$/, '$1.$2'));

/** A field's number; text that is none gives NaN, which no schema takes. */
export const numberIn = (node: XmlNode | undefined, name: string): number | undefined => {
  const text = textIn(node, name);
  return text === undefined ? undefined : numberOf(text);
};

export const flags: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

/** A field's flag; anything but a yes or a no counts as absent, so that the default holds. */
export const flagIn = (node: XmlNode | undefined, name: string): boolean | undefined =>
  flags[textIn(node, name)?.toLowerCase() ?? ''];

const plainType = (schema: v.GenericSchema): string =>
  'wrapped' in schema ? plainType(schema.wrapped as v.GenericSchema) : schema.type;

/**
 * Reads the plain fields of an object schema whose names are the wire's, case aside: `shelfName` from `ShelfName`.
 * Absent ones are undefined, or null where the schema knows null, and so are numbers that are none where they may be absent.
 */
export const fieldsIn = (node: XmlNode | undefined, entries: v.ObjectEntries): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(entries) as [string, v.GenericSchema][]) {
    const type = plainType(schema);
    const read = type === 'boolean' ? flagIn : type === 'number' ? numberIn : type === 'string' ? textIn : null;
    const value = read?.(node, name);
    const isAbsent = value === undefined || (Number.isNaN(value) && 'wrapped' in schema);
    fields[name] = isAbsent ? (schema.type === 'nullable' ? null : undefined) : value;
  }
  return fields;
};
