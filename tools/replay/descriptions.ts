import { models } from '../../tests/support/models.ts';
import type { AnyMachineSnapshot } from 'xstate';
import { textIn, type AnyDescription, type AnyText } from '../../tests/support/description.ts';

/** What a record itself holds under a key; a key out of a file may be one that every object inherits. */
export const ownProperty = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;

/** The description of each machine, by its id. */
export const descriptionOf: ReadonlyMap<string, AnyDescription> = new Map(
  models.map(({ machine, description }) => [machine.id, description]),
);

/** What a description says of a snapshot; undefined for one out of a damaged checkpoint, which may lack what it looks at. */
export const describedAs = (text: AnyText | undefined, snapshot: AnyMachineSnapshot): string | undefined => {
  try {
    return text === undefined ? undefined : textIn(text, snapshot);
  } catch {
    return undefined;
  }
};
