import * as v from 'valibot';
import { flagValues, parseNumber } from './xml-node.ts';

const mapFields = (value: object): Map<string, unknown> =>
  new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));

/**
 * The items of a list, which is nested in an object with one field in XML answers; empty for an
 * empty value.
 */
const getItems = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null || value === '') return [];
  const fields = typeof value === 'object' ? Object.values(value) : [value];
  return fields.length === 1 && Array.isArray(fields[0]) ? fields[0] : fields;
};

const getEntry = (schema: v.GenericSchema, key: string): unknown => (schema as unknown as Record<string, unknown>)[key];

const unwrapSchema = (schema: v.GenericSchema): v.GenericSchema => {
  const wrappedSchema = getEntry(schema, 'wrapped') as v.GenericSchema | undefined;
  return wrappedSchema === undefined ? schema : unwrapSchema(wrappedSchema);
};

/**
 * Wraps a value that is no object: a bare list as the object's only list, and a plain value as its
 * first field, which is the one that the call is about.
 */
const wrapInObject = (entries: Record<string, v.GenericSchema>, value: unknown): unknown => {
  if (value === null || value === undefined || value === '') return value;
  const names = Object.keys(entries);
  const lists = names.filter((name) => unwrapSchema(entries[name] as v.GenericSchema).type === 'array');
  const [name] = Array.isArray(value) ? (lists.length === 1 ? lists : []) : names;
  return name === undefined ? value : { [name]: value };
};

/**
 * Coerces an answer to the schema where the meaning is the same: names in any case, numeric ids,
 * numbers and flags as texts. Values that do not fit stay, so that the schema's error names them.
 */
export const coerce = (schema: v.GenericSchema, value: unknown): unknown => {
  const wrappedSchema = getEntry(schema, 'wrapped') as v.GenericSchema | undefined;
  if (wrappedSchema !== undefined) {
    if (value === undefined || value === null) return schema.type === 'optional' ? undefined : null;
    return coerce(wrappedSchema, value);
  }
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  switch (schema.type) {
    case 'string':
      return typeof value === 'boolean' ? value : text;
    case 'number':
      return typeof value === 'string' && value.trim() !== '' ? parseNumber(value.trim()) : value;
    case 'boolean':
      return typeof text === 'string' ? (flagValues[text.trim().toLowerCase()] ?? value) : value;
    case 'picklist': {
      const word = typeof text === 'string' ? text.toLowerCase() : text;
      return (getEntry(schema, 'options') as unknown[]).find((each) => String(each).toLowerCase() === word) ?? value;
    }
    case 'array':
      return getItems(value).map((each) => coerce(getEntry(schema, 'item') as v.GenericSchema, each));
    case 'object': {
      const entries = getEntry(schema, 'entries') as Record<string, v.GenericSchema>;
      const object = typeof value !== 'object' || Array.isArray(value) ? wrapInObject(entries, value) : value;
      if (typeof object !== 'object' || object === null || Array.isArray(object)) return value;
      const fields = mapFields(object);
      const toEntry = ([name, entry]: [string, v.GenericSchema]) =>
        [name, coerce(entry, fields.get(name.toLowerCase()))] as const;
      return Object.fromEntries(Object.entries(entries).map(toEntry));
    }
    case 'union': {
      const options = getEntry(schema, 'options') as v.GenericSchema[];
      const match = options.map((each) => ({ each, data: coerce(each, value) })).find(({ each, data }) => v.is(each, data));
      return match === undefined ? value : match.data;
    }
    default:
      return value;
  }
};
