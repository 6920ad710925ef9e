import { availableParallelism } from 'node:os';
import { accepted } from './accepted.ts';
import { seededRandom } from '../../machines/paths/walk.ts';
import { judgeAll } from './judge-all.ts';
import type { Verdict } from './judge.ts';
import { findMachineFiles, type MachineFile } from './machine-files.ts';
import type { Mutant } from './mutant.ts';
import { UsageError } from '../process/command-line.ts';
import { parseOptions, usage, type Options } from './options.ts';
import { findFailedTest } from './own-tests.ts';
import { findComplaints, createReport, formatReport, type JudgedMutant } from './report.ts';

/** Outputs of a run: results, and complaints or progress. */
export type Printer = { print: (text: string) => void; complain: (text: string) => void };

/** Draws `count` items by a seed, in their order. */
const drawSample = <Item>(items: readonly Item[], count: number, seed: number): Item[] => {
  const chance = seededRandom(seed);
  const drawn = items.map((item, at) => ({ item, at, lot: chance() })).toSorted((one, other) => one.lot - other.lot);
  return drawn
    .slice(0, count)
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
};

const selectMutants = (files: readonly MachineFile[], { machine, sample, seed }: Options): Mutant[] => {
  const chosen = files.filter(({ names }) => machine === null || names.includes(machine)).flatMap(({ mutants }) => mutants);
  return sample === null ? chosen : drawSample(chosen, sample, seed);
};

/** Runs the machines' own tests on mutants that the tests of paths have not detected. */
const judgeByOwnTests = async (
  root: string,
  left: readonly Mutant[],
  files: readonly MachineFile[],
  timeOut: number,
  { complain }: Printer,
): Promise<Map<string, string>> => {
  const noticed = new Map<string, string>();
  const testsOf = new Map(files.map(({ file, tests }) => [file, tests]));
  const waiting = left.entries();
  const judge = async (): Promise<void> => {
    for (const [at, mutant] of waiting) {
      complain(`own tests: ${at + 1} of ${left.length}, ${mutant.key}`);
      const by = await findFailedTest(root, mutant, testsOf.get(mutant.file) ?? [], timeOut);
      if (by !== null) noticed.set(mutant.key, by);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, judge));
  return noticed;
};

/**
 * Mutates machines and lists the mutants that no test detects.
 * @returns the exit code: 0; 1 if a score is below its minimum; 2 for invalid arguments
 */
export const runMutate = async (root: string, args: string[], printer: Printer): Promise<number> => {
  const { print, complain } = printer;
  const files = await findMachineFiles(root);
  try {
    const options = parseOptions(
      args,
      files.flatMap(({ names }) => names),
    );
    if (options.help) {
      print(usage);
      return 0;
    }
    const mutants = selectMutants(files, options);
    let done = 0;
    const note = (count: number) => {
      done += count;
      if (done % 100 === 0) complain(`${done} of ${mutants.length}`);
    };
    const { timeOut, replays, rules } = options;
    const verdicts = await judgeAll(mutants, { root, threads: availableParallelism(), timeOut, replays, rules, note });
    const isLeft = ({ key }: Mutant): boolean => getFirstReason(verdicts.get(key)) === null && !(key in accepted);
    const own = options.quick
      ? new Map<string, string>()
      : await judgeByOwnTests(root, mutants.filter(isLeft), files, 4 * timeOut, printer);
    const nameOf = new Map(files.map(({ file, names }) => [file, names.join(', ')]));
    const report = createReport(
      mutants.map((mutant): JudgedMutant => {
        const verdict = verdicts.get(mutant.key);
        const by = getFirstReason(verdict) ?? own.get(mutant.key) ?? null;
        const machine = nameOf.get(mutant.file) ?? mutant.file;
        return {
          ...mutant,
          machine,
          by,
          accepted: accepted[mutant.key] ?? null,
          byReplay: verdict?.byReplay ?? null,
          crossed: verdict?.crossed ?? null,
        };
      }),
    );
    print(options.json ? JSON.stringify(report, null, 2) : formatReport(report, options));
    // A sample is too small to judge single machines.
    const complaints = options.sample === null ? findComplaints(report) : findComplaints({ ...report, counts: [] });
    for (const complaint of complaints) complain(complaint);
    return complaints.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    complain(`${error.message}\n${usage}`);
    return 2;
  }
};

const getFirstReason = (verdict: Verdict | undefined): string | null => verdict?.byPaths ?? verdict?.byReplay ?? null;
