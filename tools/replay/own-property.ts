/** What a record itself holds under a key; a key out of a file may be one that every object inherits. */
export const ownProperty = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;
