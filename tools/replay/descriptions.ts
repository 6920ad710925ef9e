import { models } from '../../tests/support/models.ts';
import type { AnyDescription } from '../../tests/support/description.ts';

/** What a record itself holds under a key; a key out of a file may be one that every object inherits. */
export const ownProperty = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;

/** The description of each machine, by its id. */
export const descriptionOf: ReadonlyMap<string, AnyDescription> = new Map(
  models.map(({ machine, description }) => [machine.id, description]),
);
