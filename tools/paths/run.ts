import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { rulesOf } from '../path-models/rules.ts';
import { UsageError } from '../process/command-line.ts';
import { approvedFile, approvedFolder, behaviourOf, toApprove } from './behaviour.ts';
import { counterexampleText } from './counterexample.ts';
import { documentOf, startAlone } from './document.ts';
import type { PlanDocument, Start } from './plan-document.ts';
import { hunt, newSeed } from './hunt.ts';
import { htmlOf } from './html.ts';
import { markdownOf } from './markdown.ts';
import { allNamings } from './named-rows.ts';
import { optionsIn, usage, type Format, type HuntOptions, type PlanOptions } from './options.ts';
import { specificationFile, specificationText } from './specification.ts';
import { planName, summaryOf } from './summary.ts';
import { surveyOf } from './survey.ts';
import { tableOf } from './table.ts';

const root = join(import.meta.dirname, '../..');

const written: Record<Format, (document: PlanDocument) => string> = {
  md: markdownOf,
  html: htmlOf,
  json: (document) => `${JSON.stringify(document, null, 2)}\n`,
};

type Machines = [string, PathModel[]][];

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** What a run prints to: results, and what is wrong. */
export type Printer = { print: (text: string) => void; complain: (text: string) => void };

/** What can be done from each start of a machine. */
export type Explored = (name: string, starts: PathModel[]) => Promise<Start[]>;

const alone: Explored = async (_, starts) => starts.map(startAlone);

/** Prints the machines and returns what no test reaches. */
const list = async (machines: Machines, json: boolean, { print }: Printer): Promise<string[]> => {
  const start = performance.now();
  const namings = await allNamings(machines, root);
  const surveys = machines.map(([name, starts]) => surveyOf(name, starts, namings));
  if (json) print(JSON.stringify(surveys, null, 2));
  else print(`${tableOf(surveys)}\n\nexplored and toured in ${seconds(start)}`);
  return surveys.flatMap(({ machine, uncovered }) => uncovered.map((name) => `${machine}: ${name}`));
};

const write = async (folder: string, name: string, text: string): Promise<string> => {
  const file = join(folder, name);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`--out ${folder}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return file;
};

/** Writes or prints the plans and returns what they leave out; walks and stops leave out on purpose. */
const plan = async (machines: Machines, explored: Explored, options: PlanOptions, { print }: Printer): Promise<string[]> => {
  const leftOut: string[] = [];
  for (const [name, starts] of machines) {
    const start = performance.now();
    const document = documentOf(name, await explored(name, starts), options, starts);
    const text = written[options.format](document);
    if (options.out === null) print(text.trimEnd());
    else {
      const file = await write(options.out, `${planName(document)}.${options.format}`, text);
      print(`${file}: ${summaryOf(document)} (${seconds(start)})`);
    }
    if (!options.walks && options.stop === null) leftOut.push(...document.uncovered.map((each) => `${name}: ${each}`));
  }
  return leftOut;
};

/** Writes what the machines do into the approved texts; the differences show in the commit. */
const approve = async (machines: Machines, isWhole: boolean, { print }: Printer): Promise<void> => {
  await mkdir(approvedFolder, { recursive: true });
  for (const [name, starts] of toApprove(machines)) {
    await writeFile(approvedFile(name), behaviourOf(name, starts));
    print(`tests/approved/${name}.txt`);
  }
  if (!isWhole) return;
  await writeFile(specificationFile, await specificationText(machines));
  print('docs/specification.md');
};

/** Walks random ways through the machines. @returns whether every rule held. */
const hunted = (machines: Machines, { seed, seconds }: HuntOptions, { print, complain }: Printer): boolean => {
  const from = seed ?? newSeed();
  let holds = true;
  for (const [name, starts] of machines) {
    for (const [at, model] of starts.entries()) {
      const { paths, steps, found } = hunt(model, rulesOf(model), { seed: from, milliseconds: seconds * 1000 });
      print(`${name}, start ${at + 1} of ${starts.length}: ${paths} ways, ${steps} steps`);
      if (found === null) continue;
      holds = false;
      complain(`\n${counterexampleText(model, at, found)}\n\nAgain: npm run paths -- --hunt --machine ${name} --seed ${from}\n`);
    }
  }
  print(`seed ${from}${holds ? ': every rule held' : ''}`);
  return holds;
};

/**
 * Runs the command line `args`; `startsOf` has the starts of each machine by its name; `explored` what
 * can be done from them in a plan.
 * @returns the exit code: 0; 1 when no test reaches something, a machine grows without end, or a rule is broken; 2 when the
 * arguments are wrong.
 */
export const runPaths = async (
  args: string[],
  startsOf: ReadonlyMap<string, PathModel[]>,
  printer: Printer = { print: console.log, complain: console.error },
  explored: Explored = alone,
): Promise<0 | 1 | 2> => {
  try {
    const options = optionsIn(args, [...startsOf.keys()]);
    if (options.help) {
      printer.print(usage);
      return 0;
    }
    const machines = [...startsOf].filter(([name]) => options.machine === null || name === options.machine);
    if (options.approve) {
      await approve(machines, options.machine === null, printer);
      return 0;
    }
    if (options.hunt) return hunted(machines, options.hunt, printer) ? 0 : 1;
    const uncovered = options.plan
      ? await plan(machines, explored, options.plan, printer)
      : await list(machines, options.json, printer);
    if (uncovered.length === 0) return 0;
    printer.complain(`Not covered:\n${uncovered.map((name) => `  ${name}`).join('\n')}`);
    return 1;
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof RangeError)) throw error;
    printer.complain(error.message);
    if (error instanceof RangeError) return 1;
    printer.complain('npm run paths -- --help says what can be asked for.');
    return 2;
  }
};
