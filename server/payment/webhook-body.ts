import * as v from 'valibot';
import { isStorableText } from '../base/storable-text.ts';
import { BadNews } from './gateway.ts';

/** Characters of a reference or an id; gateways keep no longer ones. */
const MAX_NAME_CHARS = 500;
/** Characters of an error that are sent back; a received value may be as long as the body. */
const MAX_ERROR_CHARS = 200;

/** The store's name for a payment: a text that the database can look up. */
export const nameSchema = v.pipe(
  v.string(),
  v.maxLength(MAX_NAME_CHARS),
  v.check(isStorableText, 'Invalid text: Expected well-formed Unicode without NUL'),
);

/** An id of the gateway's, which becomes a part of an address there. */
export const gatewayIdSchema = v.pipe(v.string(), v.maxLength(MAX_NAME_CHARS), v.regex(/^\w+$/));

export const objectSchema = v.custom<object>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Invalid type: Expected an object',
);

/**
 * An object with these fields; others are ignored. Arrays, which valibot takes for objects, are
 * refused.
 */
export const shape = <Entries extends v.ObjectEntries>(entries: Entries) => v.pipe(objectSchema, v.object(entries));

/** @throws BadNews */
export function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new BadNews('The webhook’s body is not JSON.');
  }
}

/**
 * Reads a webhook's body after its signature was checked: a signature says who sent it, not that it
 * has the right shape.
 * @throws BadNews that names the field
 */
export function readShape<Schema extends v.GenericSchema>(body: unknown, schema: Schema): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, body, { abortEarly: true });
  if (success) return output;
  const [issue] = issues;
  const where = v.getDotPath(issue) ?? 'its top level';
  throw new BadNews(`The webhook’s body is wrong at ${where}: ${issue.message}`.slice(0, MAX_ERROR_CHARS).toWellFormed());
}
