import { parsed } from './json-text.ts';
import { malformed, raise } from './problem.ts';
import { problemOfRefusal, stableWord, type Refusal } from './refusal.ts';
import type { XmlNode } from './xml-node.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names that mean other things too: they count where an error says what it is. */
const commonNames = new Set(['status', 'code']);
const errorMembers = new Set(['error', 'fault']);
/** An answer nests its status no deeper; content below that is not looked through. */
const deepest = 4;

/** Lists are content: an item is free to call 401 its code, and a customer stays signed in. */
const says401 = (value: unknown, isError = true, depth = 0): boolean =>
  isRecord(value) &&
  depth <= deepest &&
  Object.entries(value).some(([key, field]) => {
    const name = key.toLowerCase();
    const isStatus = name === 'statuscode' || (isError && commonNames.has(name));
    return (isStatus && Number(field) === 401) || says401(field, isError && errorMembers.has(name), depth + 1);
  });

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const textOf = (value: Record<string, unknown>, member: string): string =>
  wordOf(Object.entries(value).find(([name]) => name.toLowerCase() === member)?.[1]);

/**
 * The Status `Invalid` means the store (specification section 4), unless a message beside it gives
 * the reason for which another call is refused.
 */
const invalidIn = (value: Record<string, unknown>, call: string): Refusal | null => {
  if (stableWord(textOf(value, 'status')) !== 'invalid') return null;
  const [supportEmail, message] = [textOf(value, 'supportemail'), textOf(value, 'message')];
  const hasCode = Object.keys(value).some((name) => name.toLowerCase() === 'statuscode');
  const isOfStore = call === 'store/properties' || message === '' || supportEmail !== '' || hasCode;
  if (!isOfStore) return { status: null, code: 'error', message };
  return { status: null, code: 'invalid', message: '', ...(supportEmail === '' ? {} : { supportEmail }) };
};

/** Many servers write that there is no error. */
const isNothing = (said: unknown): boolean =>
  !said || (typeof said === 'string' && /^\s*(?:0|false|no|none|null|ok)?\s*$/i.test(said));

/** The error document in a JSON value that came with an HTTP status, or null when it is none. */
export const refusalIn = (value: unknown, status: number, call = ''): Refusal | null => {
  if (says401(value)) return { status: 401, code: 'unauthorized', message: '' };
  const invalid = isRecord(value) ? invalidIn(value, call) : null;
  if (invalid !== null) return invalid;
  if (!isRecord(value)) return null;
  const error = Object.entries(value).find(([name]) => name.toLowerCase() === 'error');
  // Many servers have the field in every answer, and nothing in it where all is well.
  if (error === undefined || (isNothing(error[1]) && status < 400)) return null;
  const said = error[1];
  const details = isRecord(said) ? said : value;
  const message = wordOf(said) || wordOf(details['message']);
  const own = Number(details['status']);
  return { status: Number.isInteger(own) ? own : null, code: stableWord(wordOf(details['code'])), message };
};

/** An id of 17 digits and more would lose its last ones as a number: it stays the text that it was, where the browser tells it. */
const wholeNumber = (_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;

/**
 * A parsed JSON answer.
 * @param status the HTTP status that it came with.
 * @throws Problem as the error catalogue has it, `JSON Error: {error}` for an error document under status 200 included.
 */
export const valueInJson = (call: string, text: string, status: number): unknown => {
  const value = parsed(text, wholeNumber);
  if (value === undefined) return raise(malformed(call, '', 'the answer is not JSON'));
  const refusal = refusalIn(value, status, call);
  if (refusal === null) return value;
  const coded = { ...refusal, code: refusal.code || 'error', message: `JSON Error: ${refusal.message}` };
  return raise(problemOfRefusal(coded, status));
};

const singular = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');

/** The element that an XML answer would have had for a value; the items of a list are named as the list, in the singular. */
const elementOf = (name: string, value: unknown): XmlNode => {
  if (Array.isArray(value)) return { name, text: '', children: value.map((each) => elementOf(singular(name), each)) };
  if (typeof value === 'object' && value !== null) {
    const children = Object.entries(value).map(([field, each]) => elementOf(field.toLowerCase(), each));
    return { name, text: '', children };
  }
  return { name, text: typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value), children: [] };
};

/** Names of a list that say nothing of what is in it. */
const envelope = /^(?:content|data|entries|items|list|results|rows|value)$/i;

/**
 * A JSON answer as the XML one that the call would rather have; `list` is the name of one that is a
 * bare list, of titles where that is no plural. Throws as `valueInJson` does.
 */
export const readJson = (call: string, text: string, status: number, list: string): XmlNode => {
  const value = valueInJson(call, text, status);
  const items = singular(list) === list ? 'titles' : list;
  if (!isRecord(value)) return elementOf(items, value);
  const named = Object.entries(value).map(([name, each]) => [Array.isArray(each) && envelope.test(name) ? items : name, each]);
  return elementOf('', Object.fromEntries(named));
};

/** The value that a JSON answer would have had for an element: fields by their names, several of a name as a list. */
export const valueOfNode = ({ text, children }: XmlNode): unknown => {
  if (children.length === 0) return text.trim();
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const child of children) {
    const value = valueOfNode(child);
    const known = fields[child.name];
    fields[child.name] = known === undefined ? value : Array.isArray(known) ? [...(known as unknown[]), value] : [known, value];
  }
  return fields;
};
