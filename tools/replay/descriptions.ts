import { models } from '../path-models/models.ts';
import type { AnyMachineSnapshot } from 'xstate';
import { creditsText } from './text.ts';
import { textIn, type AnyDescription, type AnyText } from '../../machines/path-models/description.ts';

/**
 * An own property of a record: a key from a file may be an inherited one, such as `constructor`.
 */
export const ownProperty = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;

/** The description of each machine, by its id. */
export const descriptionOf: ReadonlyMap<string, AnyDescription> = new Map(
  models.map(({ machine, description }) => [machine.id, description]),
);

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** Values from a machine's context for the placeholders in descriptions, except prices. */
const values: Readonly<Record<string, (context: Fields) => string | undefined>> = {
  percent: ({ offer }) => {
    const { percentOff } = fieldsOf(offer);
    return typeof percentOff === 'number' ? `${percentOff}%` : undefined;
  },
  // The record does not contain the giver's name.
  giver: () => 'Somebody',
  inCredits: ({ credits, balance }) =>
    typeof credits === 'number' ? creditsText(credits, fieldsOf(balance)['currency']) : undefined,
};

const filled = (text: string, { context }: AnyMachineSnapshot): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => ownProperty(values, name)?.(fieldsOf(context)) ?? whole);

/**
 * The description of a snapshot, with its values; undefined for a damaged checkpoint that lacks
 * them.
 */
export const describedAs = (text: AnyText | undefined, snapshot: AnyMachineSnapshot): string | undefined => {
  try {
    return text === undefined ? undefined : filled(textIn(text, snapshot), snapshot);
  } catch {
    return undefined;
  }
};
