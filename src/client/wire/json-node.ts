import { parseJson } from './json-text.ts';
import { malformedProblem, throwProblem } from './problem.ts';
import { toRefusalProblem, toErrorCode, type Refusal } from './refusal.ts';
import type { XmlNode } from './xml-node.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ambiguous names of members, which mean a status only in an error document. */
const commonNames = new Set(['status', 'code']);
const errorMembers = new Set(['error', 'fault']);
/** Maximum depth at which a status is searched; deeper content is not scanned. */
const maxDepth = 4;

/**
 * Lists are content and are not scanned: an item may have the code 401 without ending the session.
 */
const hasStatus401 = (value: unknown, isError = true, depth = 0): boolean =>
  isRecord(value) &&
  depth <= maxDepth &&
  Object.entries(value).some(([key, field]) => {
    const name = key.toLowerCase();
    const isStatus = name === 'statuscode' || (isError && commonNames.has(name));
    return (isStatus && Number(field) === 401) || hasStatus401(field, isError && errorMembers.has(name), depth + 1);
  });

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

const getText = (value: Record<string, unknown>, member: string): string =>
  toText(Object.entries(value).find(([name]) => name.toLowerCase() === member)?.[1]);

/**
 * The Status `Invalid` is about the store (specification section 4), unless a message beside it
 * explains the refusal of another call.
 */
const getInvalidRefusal = (value: Record<string, unknown>, call: string): Refusal | null => {
  if (toErrorCode(getText(value, 'status')) !== 'invalid') return null;
  const [supportEmail, message] = [getText(value, 'supportemail'), getText(value, 'message')];
  const hasCode = Object.keys(value).some((name) => name.toLowerCase() === 'statuscode');
  const isOfStore = call === 'store/properties' || message === '' || supportEmail !== '' || hasCode;
  if (!isOfStore) return { status: null, code: 'error', message };
  return { status: null, code: 'invalid', message: '', ...(supportEmail === '' ? {} : { supportEmail }) };
};

/** Whether an error field says that there is no error, as many servers send it. */
const isNoError = (errorField: unknown): boolean =>
  !errorField || (typeof errorField === 'string' && /^\s*(?:0|false|no|none|null|ok)?\s*$/i.test(errorField));

/** The error document in a JSON answer with this HTTP status; null for any other answer. */
export const getJsonRefusal = (value: unknown, status: number, call = ''): Refusal | null => {
  if (hasStatus401(value)) return { status: 401, code: 'unauthorized', message: '' };
  const invalid = isRecord(value) ? getInvalidRefusal(value, call) : null;
  if (invalid !== null) return invalid;
  if (!isRecord(value)) return null;
  const error = Object.entries(value).find(([name]) => name.toLowerCase() === 'error');
  // Many servers include the field in every answer, empty on success.
  if (error === undefined || (isNoError(error[1]) && status < 400)) return null;
  const errorField = error[1];
  const details = isRecord(errorField) ? errorField : value;
  const message = toText(errorField) || toText(details['message']);
  const documentStatus = Number(details['status']);
  return {
    status: Number.isInteger(documentStatus) ? documentStatus : null,
    code: toErrorCode(toText(details['code'])),
    message,
  };
};

/**
 * Keeps an integer beyond `Number.MAX_SAFE_INTEGER`, such as a long id, as text, where the browser
 * supports it: a number would lose its last digits.
 */
const reviveNumber = (_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;

/**
 * A parsed JSON answer.
 * @param status the HTTP status of the answer.
 * @throws Problem `malformed` for other text; the Problem of an error document, also under status
 * 200, with the message `JSON Error: {error}`.
 */
export const parseJsonValue = (call: string, text: string, status: number): unknown => {
  const value = parseJson(text, reviveNumber);
  if (value === undefined) return throwProblem(malformedProblem(call, '', 'the answer is not JSON'));
  const refusal = getJsonRefusal(value, status, call);
  if (refusal === null) return value;
  const jsonRefusal = { ...refusal, code: refusal.code || 'error', message: `JSON Error: ${refusal.message}` };
  return throwProblem(toRefusalProblem(jsonRefusal, status));
};

const toSingular = (plural: string): string => plural.replace(/ies$/, 'y').replace(/s$/, '');

/**
 * Converts a value to the element that an XML answer would have; list items get the list's name in
 * the singular.
 */
const toElement = (name: string, value: unknown): XmlNode => {
  if (Array.isArray(value)) return { name, text: '', children: value.map((each) => toElement(toSingular(name), each)) };
  if (typeof value === 'object' && value !== null) {
    const children = Object.entries(value).map(([field, each]) => toElement(field.toLowerCase(), each));
    return { name, text: '', children };
  }
  return { name, text: typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value), children: [] };
};

/** Generic names of a list that do not describe its items. */
const ENVELOPE = /^(?:content|data|entries|items|list|results|rows|value)$/i;

/**
 * Converts a JSON answer to the XML that the call expects; `list` names a bare list, which has
 * titles if `list` is not a plural. Throws as `parseJsonValue` does.
 */
export const parseJsonNode = (call: string, text: string, status: number, list: string): XmlNode => {
  const value = parseJsonValue(call, text, status);
  const listName = toSingular(list) === list ? 'titles' : list;
  if (!isRecord(value)) return toElement(listName, value);
  const namedFields = Object.entries(value).map(([name, each]) => [
    Array.isArray(each) && ENVELOPE.test(name) ? listName : name,
    each,
  ]);
  return toElement('', Object.fromEntries(namedFields));
};

/**
 * Converts an element to the value that a JSON answer would have: fields by name, repeated names as
 * a list.
 */
export const nodeToValue = ({ text, children }: XmlNode): unknown => {
  if (children.length === 0) return text.trim();
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const child of children) {
    const value = nodeToValue(child);
    const previous = fields[child.name];
    fields[child.name] =
      previous === undefined ? value : Array.isArray(previous) ? [...(previous as unknown[]), value] : [previous, value];
  }
  return fields;
};
