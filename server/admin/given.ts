import type { ServerConfig } from '../config.ts';
import type { Services } from '../services.ts';

/** What an operator has asked for and cannot be done; the message says why. */
export class BadOperation extends Error {}

/** What an operation is told, as JSON has it. */
export type Given = Readonly<Record<string, unknown>>;

export type Row = Readonly<Record<string, string | number | null>>;

/** Lines of a table; `next` is to be given as `after` for what follows, where there is more. `says` is for the operator alone. */
export type Told = { rows: Row[]; next?: string | undefined; says?: string };

/** What operations work on: the database, and where the files of titles are kept. */
export type Operator = Pick<Services, 'db'> & { config: Pick<ServerConfig, 'titlesFolder'> };

/** Does what an operator asks for in a store. @throws BadOperation */
export type Operation = (operator: Operator, store: string, given: Given) => Promise<Told>;

/** Lines of a list that are told at once. */
export const PAGE = 1000;
const LONGEST = 200;

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

const DAY = 24 * 60 * 60_000;

/** The end of a day. */
export const endOf = (day: Date): Date => new Date(day.getTime() + DAY);

/** What follows a line that was told before. */
export const afterOf = (given: Given): string => (has(given, 'after') ? textOf(given, 'after') : '');
