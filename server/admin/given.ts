import type { ServerConfig } from '../base/config.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import type { Services } from '../services.ts';

/** What an operation is told, as JSON has it. */
export type Given = Readonly<Record<string, unknown>>;

export type Row = Readonly<Record<string, string | number | null>>;

/** Lines of a table; `next` is to be given as `after` for what follows, where there is more. `says` is for the operator alone. */
export type Told = { rows: Row[]; next?: string | undefined; says?: string };

/** What operations work on: the database, where the files of titles are kept, and, where a shop runs, its payment gateway. */
export type Operator = Pick<Services, 'db'> &
  Partial<Pick<Services, 'payment' | 'log' | 'followClock'>> & { config: Pick<ServerConfig, 'titlesFolder'> };

/** Does what an operator asks for in a store. @throws BadOperation */
export type Operation = (operator: Operator, store: string, given: Given) => Promise<Told>;

/** Lines of a list that are told at once. */
export const PAGE = 1000;
const LONGEST = 200;
const LONGEST_HTML = 200_000;

export const textOf = (given: Given, name: string): string => {
  const value = given[name];
  if (typeof value !== 'string' || value === '' || value.length > LONGEST || value.includes('\u0000') || !value.isWellFormed())
    throw new BadOperation(`${name} must be a text of at most ${LONGEST} characters.`);
  return value;
};

export const numberOf = (given: Given, name: string, most: number): number => {
  const value = given[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
    throw new BadOperation(`${name} must be a whole number from 1 to ${most}.`);
  return value;
};

export const has = (given: Given, name: string): boolean => given[name] !== undefined && given[name] !== null;

/** A day, as 2027-01-31, in UTC. */
export function dayOf(given: Given, name: string): Date {
  const text = textOf(given, name);
  const day = new Date(`${text}T00:00:00Z`);
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw new BadOperation(`${name} must be a day like 2027-01-31, not "${text}".`);
  return day;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** A new id, as it stands in addresses. */
export function idOf(given: Given): string {
  const id = textOf(given, 'id');
  if (!ID.test(id)) throw new BadOperation('id must begin with a letter or figure, and have letters, figures, ., _ and - only.');
  return id;
}

/** A text that may be long, such as HTML. */
export function longTextOf(given: Given, name: string): string {
  const value = given[name];
  const isText = typeof value === 'string' && value.length <= LONGEST_HTML && value.isWellFormed() && !value.includes('\u0000');
  if (!isText) throw new BadOperation(`${name} must be a text of at most ${LONGEST_HTML} characters.`);
  return value;
}

/** Ids in a list, as `1001,1002`; none where none is given. */
export const partsOf = (given: Given, name: string): string[] =>
  has(given, name)
    ? longTextOf(given, name)
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : [];

/** Whether `yes` or `no` is given; undefined where neither is. */
export function answerOf(given: Given, name: string): boolean | undefined {
  if (!has(given, name)) return undefined;
  const value = given[name];
  if (value !== 'yes' && value !== 'no') throw new BadOperation(`${name} must be yes or no.`);
  return value === 'yes';
}

/** A whole number from 0 on; undefined where none is given. */
export const countOf = (given: Given, name: string, most: number): number | undefined =>
  !has(given, name) ? undefined : given[name] === 0 ? 0 : numberOf(given, name, most);

const DAY = 24 * 60 * 60_000;

/** The end of a day. */
export const endOf = (day: Date): Date => new Date(day.getTime() + DAY);

/** What follows a line that was told before. */
export const afterOf = (given: Given): string => (has(given, 'after') ? textOf(given, 'after') : '');
