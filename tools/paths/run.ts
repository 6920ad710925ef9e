import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { getRules } from '../path-models/rules.ts';
import { UsageError } from '../process/command-line.ts';
import { getApprovedFile, approvedFolder, describeMachine, selectMachines } from './behaviour.ts';
import { formatCounterexample } from './counterexample.ts';
import { createDocument, exploreModel } from './document.ts';
import type { PlanDocument, ExploredModel } from './plan-document.ts';
import { fuzz, createSeed } from './fuzz.ts';
import { toHtml } from './html.ts';
import { toMarkdown } from './markdown.ts';
import { getAllReferences } from './named-rows.ts';
import { parseOptions, usage, type Format, type FuzzOptions, type PlanOptions } from './options.ts';
import { specificationFile, createSpecificationText } from './specification.ts';
import { getPlanName, formatSummary } from './summary.ts';
import { createSurvey } from './survey.ts';
import { formatTable } from './table.ts';

const root = join(import.meta.dirname, '../..');

const formatters: Record<Format, (document: PlanDocument) => string> = {
  md: toMarkdown,
  html: toHtml,
  json: (document) => `${JSON.stringify(document, null, 2)}\n`,
};

type MachineModels = [string, PathModel[]][];

const formatSeconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** Outputs of a run: results and complaints. */
export type Printer = { print: (text: string) => void; complain: (text: string) => void };

/** Explores a machine from each of its starts. */
export type Explore = (name: string, starts: PathModel[]) => Promise<ExploredModel[]>;

const exploreAlone: Explore = async (_, starts) => starts.map(exploreModel);

/** Prints the machines. @returns the items that no test reaches */
const listMachines = async (machines: MachineModels, json: boolean, { print }: Printer): Promise<string[]> => {
  const start = performance.now();
  const references = await getAllReferences(machines, root);
  const surveys = machines.map(([name, starts]) => createSurvey(name, starts, references));
  if (json) print(JSON.stringify(surveys, null, 2));
  else print(`${formatTable(surveys)}\n\nexplored and walked in ${formatSeconds(start)}`);
  return surveys.flatMap(({ machine, uncovered }) => uncovered.map((name) => `${machine}: ${name}`));
};

const writePlan = async (folder: string, name: string, text: string): Promise<string> => {
  const file = join(folder, name);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`--out ${folder}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return file;
};

/**
 * Writes or prints the plans.
 * @returns the items that no test reaches; none with walks or a stop, which omit items on purpose
 */
const writePlans = async (
  machines: MachineModels,
  explore: Explore,
  options: PlanOptions,
  { print }: Printer,
): Promise<string[]> => {
  const allUncovered: string[] = [];
  for (const [name, starts] of machines) {
    const start = performance.now();
    const document = createDocument(name, await explore(name, starts), options, starts);
    const text = formatters[options.format](document);
    if (options.out === null) print(text.trimEnd());
    else {
      const file = await writePlan(options.out, `${getPlanName(document)}.${options.format}`, text);
      print(`${file}: ${formatSummary(document)} (${formatSeconds(start)})`);
    }
    if (!options.walks && options.stop === null) allUncovered.push(...document.uncovered.map((each) => `${name}: ${each}`));
  }
  return allUncovered;
};

/**
 * Writes the behaviour of the machines into the approved texts; the commit shows the differences.
 */
const writeApprovedTexts = async (machines: MachineModels, includesSpecification: boolean, { print }: Printer): Promise<void> => {
  await mkdir(approvedFolder, { recursive: true });
  for (const [name, starts] of selectMachines(machines)) {
    await writeFile(getApprovedFile(name), describeMachine(name, starts));
    print(`tests/approved/${name}.txt`);
  }
  if (!includesSpecification) return;
  await writeFile(specificationFile, await createSpecificationText(machines));
  print('docs/specification.md');
};

/** Fuzzes the machines. @returns whether every rule held */
const fuzzMachines = (machines: MachineModels, { seed, seconds }: FuzzOptions, { print, complain }: Printer): boolean => {
  const usedSeed = seed ?? createSeed();
  let holds = true;
  for (const [name, starts] of machines) {
    for (const [index, model] of starts.entries()) {
      const { paths, steps, counterexample } = fuzz(model, getRules(model), { seed: usedSeed, milliseconds: seconds * 1000 });
      print(`${name}, start ${index + 1} of ${starts.length}: ${paths} paths, ${steps} steps`);
      if (counterexample === null) continue;
      holds = false;
      complain(
        `\n${formatCounterexample(model, index, counterexample)}\n\nRerun: npm run paths -- --fuzz --machine ${name} --seed ${usedSeed}\n`,
      );
    }
  }
  print(`seed ${usedSeed}${holds ? ': every rule held' : ''}`);
  return holds;
};

/**
 * Runs the command line `args`. `modelsByMachine` has the starts of each machine by its name;
 * `explore` explores them for a plan.
 * @returns the exit code: 0; 1 if tests leave something uncovered, a machine grows without end, or
 * a rule is violated; 2 for invalid arguments
 */
export const runPaths = async (
  args: string[],
  modelsByMachine: ReadonlyMap<string, PathModel[]>,
  printer: Printer = { print: console.log, complain: console.error },
  explore: Explore = exploreAlone,
): Promise<0 | 1 | 2> => {
  try {
    const options = parseOptions(args, [...modelsByMachine.keys()]);
    if (options.help) {
      printer.print(usage);
      return 0;
    }
    const machines = [...modelsByMachine].filter(([name]) => options.machine === null || name === options.machine);
    if (options.approve) {
      await writeApprovedTexts(machines, options.machine === null, printer);
      return 0;
    }
    if (options.fuzz) return fuzzMachines(machines, options.fuzz, printer) ? 0 : 1;
    const uncovered = options.plan
      ? await writePlans(machines, explore, options.plan, printer)
      : await listMachines(machines, options.json, printer);
    if (uncovered.length === 0) return 0;
    printer.complain(`Not covered:\n${uncovered.map((name) => `  ${name}`).join('\n')}`);
    return 1;
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof RangeError)) throw error;
    printer.complain(error.message);
    if (error instanceof RangeError) return 1;
    printer.complain('npm run paths -- --help lists the options.');
    return 2;
  }
};
