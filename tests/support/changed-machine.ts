import { createMachine, type AnyStateMachine } from 'xstate';

type Config = Record<string, never>;

const copied = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copied(part)]));
};

/** The part of a definition at a path of keys, such as `states.open.on`. */
const partAt = (config: object, path: string): Record<string, unknown> =>
  path.split('.').reduce((part, key) => part[key] as Record<string, unknown>, config as Record<string, unknown>);

/** A machine with one part of its definition replaced: `key` of what stands at `path`. */
export const changedMachine = (machine: AnyStateMachine, path: string, key: string, part: unknown): AnyStateMachine => {
  const config = copied(machine.config) as Config;
  const place = partAt(config, path);
  if (!(key in place)) throw new RangeError(`${machine.id} has no ${path}.${key}`);
  place[key] = part;
  return createMachine(config, machine.implementations as never) as AnyStateMachine;
};
