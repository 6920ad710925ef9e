import type * as v from 'valibot';

/**
 * One element of an XML answer. Names are lower case without prefix; attributes are among the
 * children, so that a field is found in any case, as attribute or as child.
 */
export type XmlNode = { name: string; text: string; children: XmlNode[] };

/** Limits of a document; the store's answers are far below them. */
export const maxElementDepth = 40;
export const maxElements = 200_000;

/** Whether a text looks like JSON. */
export const isJson = (text: string): boolean => /^\s*[[{]/.test(text);

/**
 * Whether an attribute is a field of its element: a prefixed one belongs to another vocabulary,
 * such as `xsi:type`.
 */
export const isField = (attribute: string): boolean => !/^xmlns$|:/.test(attribute);

/** A name without prefix, in lower case. */
export const toLocalName = (name: string): string => name.slice(name.lastIndexOf(':') + 1).toLowerCase();

const normalizeName = (name: string): string => name.toLowerCase();

export const getChildren = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === normalizeName(name)) ?? [];

export const getChild = (node: XmlNode | undefined, name: string): XmlNode | undefined => getChildren(node, name)[0];

/** The items of a list: inside a plural wrapper, or repeated without one. */
export const getItems = (node: XmlNode | undefined, plural: string, item: string): XmlNode[] => {
  const wrappedItems = getChildren(node, plural).flatMap((wrapper) => getChildren(wrapper, item));
  return wrappedItems.length > 0 ? wrappedItems : getChildren(node, item);
};

/** A field's text, undefined when it is absent or empty. */
export const getText = (node: XmlNode | undefined, name: string): string | undefined => {
  const child = getChildren(node, name).find((each) => each.text.trim() !== '');
  return child?.text.trim();
};

/**
 * Parses a number. A time becomes seconds: the specification writes `hh:mm:ss` and `mm:ss`. A comma
 * before one or two last digits is a decimal separator.
 */
export const parseNumber = (text: string): number =>
  /^(?:\d+:)?\d+:\d+(?:\.\d+)?$/.test(text)
    ? text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
    : Number(text.replace(/^(\d+),(\d\d?)$/, '$1.$2'));

/** A field's number; text that is not a number gives NaN, which no schema accepts. */
export const getNumber = (node: XmlNode | undefined, name: string): number | undefined => {
  const text = getText(node, name);
  return text === undefined ? undefined : parseNumber(text);
};

export const flagValues: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

/** A field's flag; anything but a yes or a no counts as absent, so that the default applies. */
export const getFlag = (node: XmlNode | undefined, name: string): boolean | undefined =>
  flagValues[getText(node, name)?.toLowerCase() ?? ''];

const getBaseType = (schema: v.GenericSchema): string =>
  'wrapped' in schema ? getBaseType(schema.wrapped as v.GenericSchema) : schema.type;

/**
 * Reads the plain fields of an object schema, whose names match the wire's case-insensitively:
 * `shelfName` from `ShelfName`. Absent fields are undefined, or null where the schema allows null;
 * so are invalid numbers in optional fields.
 */
export const getFields = (node: XmlNode | undefined, entries: v.ObjectEntries): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(entries) as [string, v.GenericSchema][]) {
    const type = getBaseType(schema);
    const readField = type === 'boolean' ? getFlag : type === 'number' ? getNumber : type === 'string' ? getText : null;
    const value = readField?.(node, name);
    const isAbsent = value === undefined || (Number.isNaN(value) && 'wrapped' in schema);
    fields[name] = isAbsent ? (schema.type === 'nullable' ? null : undefined) : value;
  }
  return fields;
};
