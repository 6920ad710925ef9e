import { parseArgs } from 'node:util';

export const usage = `npm run replay -- FILE            prints what happened in a recorded visit, in half a minute
  --full                          step by step
  --json                          all of it for programs
  --to-test NAME [--force]        writes tests/traces/NAME.json and a test that replays it
  --anyway                        replays a record of another build too

Ends with 0 when the replay is identical, with 1 when it diverges, with 2 when the file cannot be used.`;

/** `file` is null when help was asked for. */
export type Arguments = {
  file: string | null;
  full: boolean;
  json: boolean;
  anyway: boolean;
  test: string | null;
  force: boolean;
};

const options = {
  full: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  anyway: { type: 'boolean', default: false },
  'to-test': { type: 'string' },
  force: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Reads the command line, or says in a sentence what is wrong with it. */
export const argumentsIn = (args: readonly string[]): Arguments | string => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { full, json, anyway, force, help } = values;
    const test = values['to-test'] ?? null;
    if (help) return { file: null, full, json, anyway, test, force };
    const [file, ...others] = positionals;
    if (file === undefined) return 'Name the file to replay.';
    if (others.length > 0) return `Name one file: “${others[0]}” is one too many.`;
    if (test !== null && !/^[a-z0-9-]{1,60}$/.test(test)) return `A test is named in a-z, 0-9 and hyphens, not “${test}”.`;
    if (force && test === null) return '--force goes with --to-test.';
    return { file, full, json, anyway, test, force };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
