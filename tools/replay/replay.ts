import { replayCommand, type CommandResult } from './command.ts';
import { createColors } from './text.ts';

const printResult = ({ code, out, err }: CommandResult): void => {
  if (out !== '') process.stdout.write(`${out}\n`);
  if (err !== '') process.stderr.write(`${err}\n`);
  process.exitCode = code;
};

/** The last error boundary: prints a message for an error while machines process a file. */
const reportCrash = (error: unknown): void => {
  const reason = error instanceof Error ? error.message : String(error);
  printResult({
    code: 2,
    out: '',
    err: `The command failed on this file: ${reason}\nThis is a bug in Colophon: report it with the file.`,
  });
};

// XState rethrows unhandled errors from a timer.
process.on('uncaughtException', reportCrash);
// The reader of a pipe may close it early, like `head`.
process.stdout.on('error', () => {});

await replayCommand(process.argv.slice(2), {
  root: process.cwd(),
  // npm changes to the project's folder; INIT_CWD is where it was called.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  colors: createColors(process.stdout),
  columns: process.stdout.columns,
}).then(printResult, reportCrash);
