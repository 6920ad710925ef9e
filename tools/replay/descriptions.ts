import { models } from '../path-models/models.ts';
import type { AnyMachineSnapshot } from 'xstate';
import { formatCredits } from './text.ts';
import { resolveText, type AnyDescription, type AnyText } from '../../machines/path-models/description.ts';

/**
 * An own property of a record; undefined for inherited ones: a key from a file may be
 * `constructor`.
 */
export const getOwnProperty = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;

/** The description of each machine, by its id. */
export const descriptionByMachine: ReadonlyMap<string, AnyDescription> = new Map(
  models.map(({ machine, description }) => [machine.id, description]),
);

type Fields = Record<string, unknown>;

const toFields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** Values from a machine's context for the placeholders in descriptions, except prices. */
const placeholderValues: Readonly<Record<string, (context: Fields) => string | undefined>> = {
  percent: ({ offer }) => {
    const { percentOff } = toFields(offer);
    return typeof percentOff === 'number' ? `${percentOff}%` : undefined;
  },
  // The record does not contain the giver's name.
  giver: () => 'Somebody',
  inCredits: ({ credits, balance }) =>
    typeof credits === 'number' ? formatCredits(credits, toFields(balance)['currency']) : undefined,
};

const fillPlaceholders = (text: string, { context }: AnyMachineSnapshot): string =>
  text.replace(
    /\{(\w+)\}/g,
    (placeholder, name: string) => getOwnProperty(placeholderValues, name)?.(toFields(context)) ?? placeholder,
  );

/**
 * The description of a snapshot, with its placeholders filled; undefined for a damaged checkpoint
 * that lacks their values.
 */
export const resolveDescription = (text: AnyText | undefined, snapshot: AnyMachineSnapshot): string | undefined => {
  try {
    return text === undefined ? undefined : fillPlaceholders(resolveText(text, snapshot), snapshot);
  } catch {
    return undefined;
  }
};
