import { startsOf } from '../../tests/support/models.ts';
import { runPaths } from './run.ts';

process.exitCode = await runPaths(process.argv.slice(2), startsOf);
