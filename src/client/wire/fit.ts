import * as v from 'valibot';
import { flags, numberOf } from './xml-node.ts';

const fieldsOf = (value: object): Map<string, unknown> =>
  new Map(Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]));

/** The items of a list, which stand inside an object of one field where the answer was XML; none where nothing stands. */
const itemsIn = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null || value === '') return [];
  const fields = typeof value === 'object' ? Object.values(value) : [value];
  return fields.length === 1 && Array.isArray(fields[0]) ? fields[0] : fields;
};

const entryOf = (schema: v.GenericSchema, key: string): unknown => (schema as unknown as Record<string, unknown>)[key];

const wrappedIn = (schema: v.GenericSchema): v.GenericSchema => {
  const wrapped = entryOf(schema, 'wrapped') as v.GenericSchema | undefined;
  return wrapped === undefined ? schema : wrappedIn(wrapped);
};

/**
 * A list without an object around it is the object's only list, and a plain value its first field,
 * which is the one that the call is about.
 */
const asObject = (entries: Record<string, v.GenericSchema>, value: unknown): unknown => {
  if (value === null || value === undefined || value === '') return value;
  const names = Object.keys(entries);
  const lists = names.filter((name) => wrappedIn(entries[name] as v.GenericSchema).type === 'array');
  const [name] = Array.isArray(value) ? (lists.length === 1 ? lists : []) : names;
  return name === undefined ? value : { [name]: value };
};

/**
 * The value of an answer as the schema would have it, where both mean the same: names in any case, ids that are numbers,
 * numbers and flags that are texts. What does not fit stays as it is, for the schema to name.
 */
export const fitted = (schema: v.GenericSchema, value: unknown): unknown => {
  const wrapped = entryOf(schema, 'wrapped') as v.GenericSchema | undefined;
  if (wrapped !== undefined) {
    if (value === undefined || value === null) return schema.type === 'optional' ? undefined : null;
    return fitted(wrapped, value);
  }
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  switch (schema.type) {
    case 'string':
      return typeof value === 'boolean' ? value : text;
    case 'number':
      return typeof value === 'string' && value.trim() !== '' ? numberOf(value.trim()) : value;
    case 'boolean':
      return typeof text === 'string' ? (flags[text.trim().toLowerCase()] ?? value) : value;
    case 'picklist': {
      const word = typeof text === 'string' ? text.toLowerCase() : text;
      return (entryOf(schema, 'options') as unknown[]).find((each) => String(each).toLowerCase() === word) ?? value;
    }
    case 'array':
      return itemsIn(value).map((each) => fitted(entryOf(schema, 'item') as v.GenericSchema, each));
    case 'object': {
      const entries = entryOf(schema, 'entries') as Record<string, v.GenericSchema>;
      const whole = typeof value !== 'object' || Array.isArray(value) ? asObject(entries, value) : value;
      if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return value;
      const fields = fieldsOf(whole);
      const of = ([name, entry]: [string, v.GenericSchema]) => [name, fitted(entry, fields.get(name.toLowerCase()))] as const;
      return Object.fromEntries(Object.entries(entries).map(of));
    }
    case 'union': {
      const options = entryOf(schema, 'options') as v.GenericSchema[];
      const fits = options.map((each) => ({ each, whole: fitted(each, value) })).find(({ each, whole }) => v.is(each, whole));
      return fits === undefined ? value : fits.whole;
    }
    default:
      return value;
  }
};
