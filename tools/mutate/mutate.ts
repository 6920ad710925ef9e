import { join } from 'node:path';
import { runMutate } from './run.ts';

const root = join(import.meta.dirname, '../..');

process.exitCode = await runMutate(root, process.argv.slice(2), { print: console.log, complain: console.error });
