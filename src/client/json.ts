import type * as v from 'valibot';
import { textOf } from './body.ts';
import { checked, malformed, raise, type RunCall } from './problem.ts';
import { problemOfRefusal, stableWord, type Refusal } from './refusal.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const statusFields = new Set(['status', 'statuscode', 'code']);
/** An error document nests no deeper; content below that is not looked through. */
const deepest = 4;

const says401 = (value: unknown, depth = 0): boolean => {
  if (typeof value !== 'object' || value === null || depth > deepest) return false;
  return Object.entries(value).some(
    ([name, field]) => (statusFields.has(name.toLowerCase()) && Number(field) === 401) || says401(field, depth + 1),
  );
};

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Whatever else the answer says, this Status means the store (specification section 4). */
const saysInvalid = (value: Record<string, unknown>): boolean =>
  Object.entries(value).some(([name, field]) => name.toLowerCase() === 'status' && stableWord(wordOf(field)) === 'invalid');

/** The error document in a JSON value, or null when it is none. */
export const refusalIn = (value: unknown): Refusal | null => {
  if (says401(value)) return { status: 401, code: 'unauthorized', message: '' };
  if (isRecord(value) && saysInvalid(value)) return { status: null, code: 'invalid', message: '' };
  if (!isRecord(value) || value['error'] === undefined || value['error'] === null || value['error'] === false) return null;
  const error = isRecord(value['error']) ? value['error'] : value;
  const message = wordOf(error['error']) || wordOf(error['message']);
  const status = Number(error['status']);
  return { status: Number.isInteger(status) ? status : null, code: stableWord(wordOf(error['code'])), message };
};

/** Parsed text, or undefined when it is no JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/**
 * A JSON answer, checked.
 * @throws Problem as the error catalogue has it, `JSON Error: {error}` for an error document under status 200 included.
 */
export const jsonAnswer = <Schema extends v.GenericSchema>(
  api: { runCall: RunCall },
  call: string,
  sending: Promise<{ response: Response }>,
  schema: Schema,
): Promise<v.InferOutput<Schema>> =>
  api.runCall(async () => {
    const { response } = await sending;
    const value = parsed(await textOf(call, response));
    if (value === undefined) return raise(malformed(call, '', 'the answer is not JSON'));
    const refusal = refusalIn(value);
    if (refusal) {
      const coded = { ...refusal, code: refusal.code || 'error', message: `JSON Error: ${refusal.message}` };
      return raise(problemOfRefusal(coded, response.status));
    }
    return checked(call, schema, value);
  });
