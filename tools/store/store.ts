import { fileURLToPath } from 'node:url';
import { createPrivateFiles } from '../../server/settings/private-files.ts';
import { storeCommand } from './command.ts';

// Who reads may stop reading, as `head` does.
process.stdout.on('error', () => {});

// Files that it writes into DATA_DIR and MEDIA_DIR, and of codes, are the operator's alone.
createPrivateFiles();

process.exitCode = await storeCommand(process.argv.slice(2), {
  environment: process.env,
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // npm goes to the project's folder, wherever it was called.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
});
