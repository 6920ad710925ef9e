import { fileURLToPath } from 'node:url';
import { createPrivateFiles } from '../../server/settings/private-files.ts';
import { runStoreCli } from './command.ts';

// The reader of a pipe may close it early, like `head`.
process.stdout.on('error', () => {});

// Files in DATA_DIR and MEDIA_DIR, and lists of codes, are readable by the operator only.
createPrivateFiles();

process.exitCode = await runStoreCli(process.argv.slice(2), {
  environment: process.env,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // npm changes to the project's folder; INIT_CWD is where it was called.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
});
