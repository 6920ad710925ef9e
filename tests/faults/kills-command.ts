import { UsageError } from '../../tools/process/command-line.ts';
import { cases } from './errands.ts';
import { runKills, usage } from './run-kills.ts';

try {
  // The client logs each failed call, and many fail here.
  console.info = () => undefined;
  process.exitCode = await runKills(process.argv.slice(2), cases, { print: console.log, progress: console.error });
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
