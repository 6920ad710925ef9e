import type * as v from 'valibot';
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
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const fields = fieldsOf(value);
      const entries = Object.entries(entryOf(schema, 'entries') as Record<string, v.GenericSchema>);
      return Object.fromEntries(entries.map(([name, entry]) => [name, fitted(entry, fields.get(name.toLowerCase()))]));
    }
    default:
      return value;
  }
};
