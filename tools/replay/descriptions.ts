import { models } from '../path-models/models.ts';
import type { AnyMachineSnapshot } from 'xstate';
import { creditsText } from './text.ts';
import { textIn, type AnyDescription, type AnyText } from '../../machines/path-models/description.ts';

/** What a record itself holds under a key; a key out of a file may be one that every object inherits. */
export const ownProperty = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;

/** The description of each machine, by its id. */
export const descriptionOf: ReadonlyMap<string, AnyDescription> = new Map(
  models.map(({ machine, description }) => [machine.id, description]),
);

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

/** The values whose names descriptions have in brackets, prices apart, as a machine's context has them. */
const values: Readonly<Record<string, (context: Fields) => string | undefined>> = {
  percent: ({ offer }) => {
    const { percentOff } = fieldsOf(offer);
    return typeof percentOff === 'number' ? `${percentOff}%` : undefined;
  },
  // The giver’s name is in no record.
  giver: () => 'Somebody',
  inCredits: ({ credits, balance }) =>
    typeof credits === 'number' ? creditsText(credits, fieldsOf(balance)['currency']) : undefined,
};

const filled = (text: string, { context }: AnyMachineSnapshot): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => ownProperty(values, name)?.(fieldsOf(context)) ?? whole);

/** What a description says of a snapshot, with its values; undefined for one out of a damaged checkpoint, which may lack what it looks at. */
export const describedAs = (text: AnyText | undefined, snapshot: AnyMachineSnapshot): string | undefined => {
  try {
    return text === undefined ? undefined : filled(textIn(text, snapshot), snapshot);
  } catch {
    return undefined;
  }
};
