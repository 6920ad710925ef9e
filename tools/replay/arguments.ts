import { parseArgs } from 'node:util';

export const usage = `npm run replay -- FILE            summarises a recorded visit
  --full                          step by step
  --json                          everything, machine-readable
  --to-test NAME [--force]        writes tests/traces/NAME.json and a test that replays it
  --anyway                        also replays a record of another build
Exit codes: 0 identical replay, 1 divergence, 2 unusable file.`;

/** The parsed command line; `file` is null if help was requested. */
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

/** Parses the command line. @returns an error message if it is invalid */
export const parseArguments = (args: readonly string[]): Arguments | string => {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const { full, json, anyway, force, help } = values;
    const test = values['to-test'] ?? null;
    if (help) return { file: null, full, json, anyway, test, force };
    const [file, ...extraFiles] = positionals;
    if (file === undefined) return 'Name the file to replay.';
    if (extraFiles.length > 0) return `Expected one file, found another: “${extraFiles[0]}”.`;
    if (test !== null && !/^[a-z0-9-]{1,60}$/.test(test)) return `A test’s name has only a-z, 0-9 and hyphens, not “${test}”.`;
    if (force && test === null) return '--force needs --to-test.';
    return { file, full, json, anyway, test, force };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
