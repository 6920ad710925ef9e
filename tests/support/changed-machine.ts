import { createMachine, type AnyStateMachine } from 'xstate';

type Config = Record<string, never>;

const copyConfig = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copyConfig);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copyConfig(child)]));
};

/** The section of a machine's definition at a path of keys, such as `states.open.on`. */
const getSection = (config: object, path: string): Record<string, unknown> =>
  path.split('.').reduce((value, key) => value[key] as Record<string, unknown>, config as Record<string, unknown>);

/**
 * A copy of a machine with one value of its definition replaced: `key` of the object at `path`.
 * @throws RangeError if the definition has no such key
 */
export const changeMachine = (machine: AnyStateMachine, path: string, key: string, value: unknown): AnyStateMachine => {
  const config = copyConfig(machine.config) as Config;
  const section = getSection(config, path);
  if (!(key in section)) throw new RangeError(`Machine ${machine.id} has no ${path}.${key}`);
  section[key] = value;
  return createMachine(config, machine.implementations as never) as AnyStateMachine;
};
