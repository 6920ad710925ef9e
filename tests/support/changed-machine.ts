import { createMachine, type AnyStateMachine } from 'xstate';

type Config = Record<string, never>;

const copyConfig = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copyConfig);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyConfig(part)]));
};

/** The part of a machine's definition at a path of keys, such as `states.open.on`. */
const getPart = (config: object, path: string): Record<string, unknown> =>
  path.split('.').reduce((part, key) => part[key] as Record<string, unknown>, config as Record<string, unknown>);

/** A copy of a machine with one part of its definition replaced: `key` of the object at `path`. */
export const changeMachine = (machine: AnyStateMachine, path: string, key: string, part: unknown): AnyStateMachine => {
  const config = copyConfig(machine.config) as Config;
  const place = getPart(config, path);
  if (!(key in place)) throw new RangeError(`Machine ${machine.id} has no ${path}.${key}`);
  place[key] = part;
  return createMachine(config, machine.implementations as never) as AnyStateMachine;
};
