import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Invalid command-line arguments. */
export class UsageError extends Error {}

/**
 * Parses the options of a command that takes no other arguments.
 * @throws UsageError for an unknown option, a missing value, or an argument that is no option
 */
export const parseOptionValues = <Known extends ParseArgsOptionsConfig>(args: string[], options: Known) => {
  try {
    return parseArgs({ args, options, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

/**
 * Parses an option's value, a whole number from `min` to `max`, inclusive.
 * @throws UsageError for any other value
 */
export const parseWholeNumber = (name: string, value: string, min: number, max = Infinity): number => {
  const number = Number(value);
  if (!/^-?\d+$/.test(value) || number < min || number > max) {
    const bounds = max === Infinity ? `from ${min}` : `from ${min} to ${max}`;
    throw new UsageError(`--${name} ${value}: not a whole number ${bounds}`);
  }
  return number;
};
