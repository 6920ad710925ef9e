import { replayCommand, type Ending } from './command.ts';
import { paintFor } from './text.ts';

const end = ({ code, out, err }: Ending): void => {
  if (out !== '') process.stdout.write(`${out}\n`);
  if (err !== '') process.stderr.write(`${err}\n`);
  process.exitCode = code;
};

/** The last boundary: whatever a file does to the machines, it ends in words. */
const fail = (error: unknown): void => {
  const why = error instanceof Error ? error.message : String(error);
  end({
    code: 2,
    out: '',
    err: `The command failed on this file: ${why}\nThat is a fault in Colophon: give the file to its makers.`,
  });
};

// XState throws what nobody hears from a timer of its own.
process.on('uncaughtException', fail);
// Who reads may stop reading, as `head` does.
process.stdout.on('error', () => {});

await replayCommand(process.argv.slice(2), {
  root: process.cwd(),
  // npm goes to the project's folder, wherever it was called.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  paint: paintFor(process.stdout),
  columns: process.stdout.columns,
}).then(end, fail);
