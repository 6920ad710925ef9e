import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Invalid command-line arguments. */
export class UsageError extends Error {}

/**
 * Parses the options of a command that takes no other arguments.
 * @throws UsageError for an unknown argument
 */
export const parseOptionValues = <Known extends ParseArgsOptionsConfig>(args: string[], known: Known) => {
  try {
    return parseArgs({ args, options: known, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

/** @throws UsageError unless it is a whole number from `least` to `most`, inclusive */
export const parseWholeNumber = (name: string, given: string, least: number, most = Infinity): number => {
  const number = Number(given);
  if (!/^-?\d+$/.test(given) || number < least || number > most) {
    const bounds = most === Infinity ? `from ${least}` : `from ${least} to ${most}`;
    throw new UsageError(`--${name} ${given}: not a whole number ${bounds}`);
  }
  return number;
};
