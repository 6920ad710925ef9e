/** Prints what the machines of a module do, one list for each of its models; it runs elsewhere. */
import { takenBy } from '../../../machines/paths/purity-twice.ts';
import type { PathModel } from '../../../machines/path-models/path-model.ts';

const { models } = (await import(process.argv[2] ?? '')) as { models: PathModel[] };

process.stdout.write(JSON.stringify(models.map(({ machine, ...options }) => takenBy(machine, options))));
