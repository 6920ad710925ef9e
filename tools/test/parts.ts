import { bin, run } from '../process/run.ts';
import { optionValues, wholeNumber } from '../process/command-line.ts';

/** What takes long is run in so many parts, a part a run. */
export const parts = 20;

/** From 1 to `parts`; null stands for all of them. */
export type Part = number | null;

/** Neighbours share what is costly to set up, such as an open page. */
const together = 3;

/** The tests of a part: spread over all files, so that no part takes much longer than another. */
export const ofPart = <Item>(items: readonly Item[], part: Part, neighbours = together): Item[] =>
  items.filter((_, at) => part === null || Math.floor(at / neighbours) % parts === part - 1);

/** Whether a part has the stories in Firefox: all of them are in one. */
export const hasFirefox = (part: Part): boolean => part === null || part === parts;

/** The part whose turn it is: each commit runs the one after its parent's. Without a history it is the first. */
async function turn(root: string): Promise<number> {
  const { code, output } = await run('git', ['rev-list', '--count', '--first-parent', 'HEAD'], { cwd: root });
  return code === 0 ? (Number(output.trim()) % parts) + 1 : 1;
}

/**
 * What `npm test` is to run: `--all`, `--part 2`, or as a rule the part whose turn it is.
 * @throws UsageError for anything else
 */
export async function partToRun(root: string, args: string[]): Promise<Part> {
  const { all, part } = optionValues(args, { all: { type: 'boolean' }, part: { type: 'string' } });
  if (all === true) return null;
  return part === undefined ? turn(root) : wholeNumber('part', part, 1, parts);
}

/** Tells what is run, and how to run the rest. */
export const partSays = (part: Part): string =>
  part === null
    ? 'every test'
    : `part ${part} of ${parts} of what takes long (each commit runs the next one); npm test -- --all runs every test`;

/** The patterns of the slow test files of Vitest that another part runs. */
export async function slowFilesLeftOut(root: string, part: Part): Promise<string[]> {
  if (part === null) return [];
  const { code, output } = await run(bin(root, 'vitest'), ['list', '--project', 'slow', '--filesOnly'], { cwd: root });
  // Vitest lists them as it finds them, now in this order, now in that.
  const files = [...output.matchAll(/tests\/\S+\.test\.tsx?/g)].map(([file]) => file).toSorted();
  if (code !== 0 || files.length === 0) throw new Error(`Vitest lists no slow tests\n${output}`);
  const own = new Set(ofPart(files, part, 1));
  return files.filter((file) => !own.has(file));
}

/** What tells `tests/painting/hydration.test.tsx` under which layout themes pages are painted; three parts that follow one another have all of them, the last and the first apart. */
export const themesOf = (part: Part): string => (part === null ? 'all' : String(part % 3));

/** What tells `vitest.config.ts` which half of the server's test files runs, and each on which database. */
export const serverTurn = (part: Part): Record<string, string> => (part === null ? {} : { SERVER_TURN: String((part - 1) % 4) });
