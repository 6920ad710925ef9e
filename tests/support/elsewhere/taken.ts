/**
 * Prints the transitions that a module's machines take, one list for each of its models; runs in a
 * child process.
 */
import { recordSteps } from '../../../machines/paths/purity-twice.ts';
import type { PathModel } from '../../../machines/path-models/path-model.ts';

const { models } = (await import(process.argv[2] ?? '')) as { models: PathModel[] };

process.stdout.write(JSON.stringify(models.map(({ machine, ...options }) => recordSteps(machine, options))));
