import type { ServerConfig } from '../base/config.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import type { Services } from '../services.ts';

/** Parameters of an operation, as parsed from JSON. */
export type OperationInput = Readonly<Record<string, unknown>>;

export type Row = Readonly<Record<string, string | number | null>>;

/**
 * Rows of the result. `next` is the cursor of the next page, to pass as `after`. `message` is
 * the message for the operator.
 */
export type OperationResult = { rows: Row[]; next?: string | undefined; message?: string };

/**
 * Dependencies of operations: the database, the folder of titles' files and, in a running shop, its
 * payment gateway, its log and the function that moves its clock.
 */
export type OperationContext = Pick<Services, 'db'> &
  Partial<Pick<Services, 'payment' | 'log' | 'followClock'>> & { config: Pick<ServerConfig, 'titlesFolder'> };

/** Runs an operator's command in a store. @throws BadOperation, InvalidCode, BadText, BadAmount */
export type AdminOperation = (context: OperationContext, store: string, input: OperationInput) => Promise<OperationResult>;

/** Rows of one page of a list. */
export const PAGE_SIZE = 1000;
const MAX_TEXT_CHARS = 200;
const MAX_HTML_CHARS = 200_000;

export const readText = (input: OperationInput, name: string): string => {
  const value = input[name];
  if (
    typeof value !== 'string' ||
    value === '' ||
    value.length > MAX_TEXT_CHARS ||
    value.includes('\u0000') ||
    !value.isWellFormed()
  )
    throw new BadOperation(`${name} must be a text of at most ${MAX_TEXT_CHARS} characters.`);
  return value;
};

export const readNumber = (input: OperationInput, name: string, max: number): number => {
  const value = input[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max)
    throw new BadOperation(`${name} must be a whole number from 1 to ${max}.`);
  return value;
};

export const hasInput = (input: OperationInput, name: string): boolean => input[name] !== undefined && input[name] !== null;

/** Parses a day in UTC, like 2027-01-31. */
export function readDay(input: OperationInput, name: string): Date {
  const text = readText(input, name);
  const day = new Date(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw new BadOperation(`${name} must be a day like 2027-01-31, not "${text}".`);
  return day;
}

const ID_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Parses a new id, which becomes part of addresses. */
export function readId(input: OperationInput): string {
  const id = readText(input, 'id');
  if (!ID_PATTERN.test(id))
    throw new BadOperation('id must begin with a letter or digit, and contain only letters and digits and . _ -');
  return id;
}

/** Reads a text that may be long, such as HTML. */
export function readLongText(input: OperationInput, name: string): string {
  const value = input[name];
  const isText = typeof value === 'string' && value.length <= MAX_HTML_CHARS && value.isWellFormed() && !value.includes('\u0000');
  if (!isText) throw new BadOperation(`${name} must be a text of at most ${MAX_HTML_CHARS} characters.`);
  return value;
}

/** Parses a comma-separated list of ids, like `1001,1002`; empty where it is missing. */
export const readIds = (input: OperationInput, name: string): string[] =>
  hasInput(input, name)
    ? readLongText(input, name)
        .split(',')
        .map((id) => id.trim())
        .filter((id) => id !== '')
    : [];

/** Parses `yes` or `no`; undefined where it is missing. */
export function readYesNo(input: OperationInput, name: string): boolean | undefined {
  if (!hasInput(input, name)) return undefined;
  const value = input[name];
  if (value !== 'yes' && value !== 'no') throw new BadOperation(`${name} must be yes or no.`);
  return value === 'yes';
}

/** Parses a whole number from 0 to `max`; undefined where it is missing. */
export const readCount = (input: OperationInput, name: string, max: number): number | undefined =>
  !hasInput(input, name) ? undefined : input[name] === 0 ? 0 : readNumber(input, name, max);

const DAY_MS = 24 * 60 * 60_000;

/** The exclusive end of a day. */
export const endOfDay = (day: Date): Date => new Date(day.getTime() + DAY_MS);

/** Reads the cursor that the previous page returned; empty for the first page. */
export const readAfter = (input: OperationInput): string => (hasInput(input, 'after') ? readText(input, 'after') : '');
