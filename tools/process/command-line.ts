import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Words on the command line that cannot be followed. */
export class UsageError extends Error {}

/** The options among a command's words; it takes nothing else. @throws UsageError for a word that it does not know */
export const optionValues = <Known extends ParseArgsOptionsConfig>(args: string[], known: Known) => {
  try {
    return parseArgs({ args, options: known, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

/** @throws UsageError for what is no whole number between the two, themselves included */
export const wholeNumber = (name: string, given: string, least: number, most = Infinity): number => {
  const number = Number(given);
  if (!/^-?\d+$/.test(given) || number < least || number > most) {
    const bounds = most === Infinity ? `from ${least}` : `from ${least} to ${most}`;
    throw new UsageError(`--${name} ${given}: not a whole number ${bounds}`);
  }
  return number;
};
