import { availableParallelism } from 'node:os';
import { accepted } from './accepted-mutants.ts';
import { seededRandom } from '../../machines/paths/walk.ts';
import { judgeAll } from './judge-all.ts';
import type { Verdict } from './judge.ts';
import { findMachineFiles, type MachineFile } from './machine-files.ts';
import type { Mutant } from './mutant.ts';
import { UsageError } from '../process/command-line.ts';
import { parseOptions, usage, type Options } from './options.ts';
import { findFailedTest } from './find-failed-test.ts';
import { findComplaints, createReport, formatReport, type JudgedMutant } from './report.ts';

/** Outputs of a run: results, and complaints or progress. */
export type Printer = { print: (text: string) => void; complain: (text: string) => void };

/** Draws `count` items by a seed, in their order. */
const drawSample = <Item>(items: readonly Item[], count: number, seed: number): Item[] => {
  const random = seededRandom(seed);
  const shuffledItems = items.map((item, at) => ({ item, at, lot: random() })).toSorted((one, other) => one.lot - other.lot);
  return shuffledItems
    .slice(0, count)
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
};

const selectMutants = (files: readonly MachineFile[], { machine, sample, seed }: Options): Mutant[] => {
  const candidates = files.filter(({ names }) => machine === null || names.includes(machine)).flatMap(({ mutants }) => mutants);
  return sample === null ? candidates : drawSample(candidates, sample, seed);
};

/** Runs the machines' own tests on mutants that the tests of paths have not detected. */
const judgeByOwnTests = async (
  root: string,
  undetectedMutants: readonly Mutant[],
  files: readonly MachineFile[],
  timeOut: number,
  { complain }: Printer,
): Promise<Map<string, string>> => {
  const failedTests = new Map<string, string>();
  const testsByFile = new Map(files.map(({ file, tests }) => [file, tests]));
  const queue = undetectedMutants.entries();
  const judge = async (): Promise<void> => {
    for (const [index, mutant] of queue) {
      complain(`own tests: ${index + 1} of ${undetectedMutants.length}, ${mutant.key}`);
      const failedTest = await findFailedTest(root, mutant, testsByFile.get(mutant.file) ?? [], timeOut);
      if (failedTest !== null) failedTests.set(mutant.key, failedTest);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, judge));
  return failedTests;
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
    let judgedCount = 0;
    const onJudged = (count: number) => {
      judgedCount += count;
      if (judgedCount % 100 === 0) complain(`${judgedCount} of ${mutants.length}`);
    };
    const { timeOut, replays, rules } = options;
    const verdicts = await judgeAll(mutants, { root, threads: availableParallelism(), timeOut, replays, rules, onJudged });
    const isUndetected = ({ key }: Mutant): boolean => getFirstReason(verdicts.get(key)) === null && !(key in accepted);
    const ownTestFailures = options.quick
      ? new Map<string, string>()
      : await judgeByOwnTests(root, mutants.filter(isUndetected), files, 4 * timeOut, printer);
    const machineNames = new Map(files.map(({ file, names }) => [file, names.join(', ')]));
    const report = createReport(
      mutants.map((mutant): JudgedMutant => {
        const verdict = verdicts.get(mutant.key);
        const killedBy = getFirstReason(verdict) ?? ownTestFailures.get(mutant.key) ?? null;
        const machine = machineNames.get(mutant.file) ?? mutant.file;
        return {
          ...mutant,
          machine,
          killedBy,
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
