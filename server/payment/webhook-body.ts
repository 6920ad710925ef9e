import * as v from 'valibot';
import { isStorableText } from '../base/storable-text.ts';
import { InvalidWebhook } from './gateway.ts';

/** Maximum length of a reference or an id; gateways do not allow longer references and ids. */
const MAX_NAME_CHARS = 500;
/** Maximum length of an error in the response; a received value may be as long as the body. */
const MAX_ERROR_CHARS = 200;

/** The store's reference of a payment: a string that the database can store. */
export const nameSchema = v.pipe(
  v.string(),
  v.maxLength(MAX_NAME_CHARS),
  v.check(isStorableText, 'Invalid text: Expected well-formed Unicode without NUL'),
);

/** An id of the gateway, which becomes part of a URL there. */
export const gatewayIdSchema = v.pipe(v.string(), v.maxLength(MAX_NAME_CHARS), v.regex(/^\w+$/));

export const objectSchema = v.custom<object>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Invalid type: Expected an object',
);

/**
 * Creates the schema of an object with these fields; other fields are ignored. Arrays are refused:
 * valibot alone would accept them.
 */
export const shape = <Entries extends v.ObjectEntries>(entries: Entries) => v.pipe(objectSchema, v.object(entries));

/** @throws InvalidWebhook */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new InvalidWebhook('The webhook body is not JSON.');
  }
}

/**
 * Validates a webhook's body after its signature: the signature proves the sender, not the shape.
 * @throws InvalidWebhook that names the field
 */
export function parseShape<Schema extends v.GenericSchema>(body: unknown, schema: Schema): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, body, { abortEarly: true });
  if (success) return output;
  const [issue] = issues;
  const path = v.getDotPath(issue) ?? 'the top level';
  throw new InvalidWebhook(`Invalid webhook body at ${path}: ${issue.message}`.slice(0, MAX_ERROR_CHARS).toWellFormed());
}
