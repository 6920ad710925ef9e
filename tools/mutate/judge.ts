import { globSync, readFileSync } from 'node:fs';
import type { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import type { AnyStateMachine } from 'xstate';
import { findUnevenParts } from '../../machines/paths/parts-of-context.ts';
import { getCoverage } from '../../machines/paths/coverage.ts';
import { explore } from '../../machines/paths/explore.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { traceFromJson } from '../../machines/trace/trace-in.ts';
import { replay } from '../../machines/trace/replay.ts';
import { getAllStateNodes } from '../../machines/paths/transitions.ts';
import { findUncaughtRequests } from '../../machines/paths/pending-activities.ts';
import { modelFolders } from '../path-models/discovery.ts';
import { withAllRejections, type PathModel } from '../../machines/path-models/path-model.ts';
import { checkModel } from '../path-models/rules.ts';
import { findUntakenEvents } from '../path-models/untaken-events.ts';
import { getApprovedFile, describeMachine, selectMachines } from '../paths/behaviour.ts';
import { measureCoverage, isCovered } from './mutant-coverage.ts';
import type { Loader } from './load-mutants.ts';
import { getMachineFile, type Mutant } from './mutant.ts';

/**
 * How a mutant was detected, by the tests of paths and by the replay of a recorded visit; null if
 * it was not.
 */
export type Verdict = {
  byPaths: string | null;
  byReplay: string | null;
  /** Whether the recorded visits covered the mutated code; only if requested. */
  crossed?: boolean;
};

/**
 * Runs the faster test first, and the other one only if that detects nothing or coverage is
 * requested.
 */
export type Judge = (mutant: Mutant) => Promise<Verdict>;

type Folder = { path: string; names: ReadonlySet<string> };

const isMachine = (value: unknown): value is AnyStateMachine =>
  typeof value === 'object' && value !== null && 'getStateNodeById' in value;

const getModels = (module: object): PathModel[] => (module as { models: PathModel[] }).models.map(withAllRejections);

const SHOP_FILE = 'machines/app/shop.ts';
const TRACE_GLOB = 'tests/traces/*.json';

/** A file of machines below `root`. With `rules`, only the rules and the models’ tests judge. */
export type JudgeInput = { root: string; file: string; rules: boolean };

/**
 * Judges the mutants of one file without starting a test runner: by the machine's approved
 * behaviour (or, if it needs no approval, by whether its paths reach everything), and by the
 * recorded visits.
 */
export const createJudge = async (
  { root, file, rules }: JudgeInput,
  { load, loadChanged, getDependents }: Loader,
  coverageSession: Session | null = null,
): Promise<Judge> => {
  const folders = new Map<string, PathModel[]>();
  for (const folder of modelFolders) {
    const path = `machines/path-models/${folder}/paths.ts`;
    folders.set(path, getModels(await load(path)));
  }
  const machines = Object.values(await load(getMachineFile(file))).filter(isMachine);
  const ids = new Set(machines.map(({ id }) => id));
  const shopModule = await load(SHOP_FILE);
  const dependentFiles = getDependents(file);
  const isAffected = ({ machine }: PathModel) => ids.size === 0 || ids.has(machine.id);
  const affectedFolders: Folder[] = [...folders].flatMap(([path, models]) => {
    const names = new Set(models.filter(isAffected).map(({ name }) => name));
    return dependentFiles.has(path) && names.size > 0 ? [{ path, names }] : [];
  });
  const modelsByMachine = Map.groupBy([...folders.values()].flat(), ({ name }) => name);
  const approvedTexts = new Map(
    selectMachines(modelsByMachine).map(([name]) => [name, readFileSync(getApprovedFile(name), 'utf8')]),
  );
  const runs = globSync(TRACE_GLOB, { cwd: root })
    .toSorted()
    .flatMap((path) => traceFromJson(JSON.parse(readFileSync(join(root, path), 'utf8')) as Trace).runs);

  const findMachineFault = (name: string, models: PathModel[]): string | null => {
    const text = approvedTexts.get(name);
    if (rules) {
      for (const model of models) {
        const [counterexample] = checkModel(model);
        if (counterexample) return `${name} breaks the rule that ${counterexample.rule}`;
      }
    } else if (text !== undefined) return describeMachine(name, models) === text ? null : `${name} does not do what was approved`;
    const [first] = models;
    if (!first) return `${name} has no path model`;
    const graphs = models.map((model) => explore(model.machine, model));
    if (graphs.some(({ failures }) => failures.length > 0)) return `${name} throws in a step`;
    const [unevenPart] = findUnevenParts(graphs);
    if (unevenPart !== undefined) return unevenPart;
    const [untakenEvent] = findUntakenEvents(first.description, graphs);
    if (untakenEvent !== undefined) return `no transition takes ${untakenEvent}`;
    const [uncaughtRequest] = findUncaughtRequests(getAllStateNodes(first.machine));
    if (uncaughtRequest !== undefined) return `${uncaughtRequest} rejects, and no transition handles it`;
    const { states, transitions, guards } = getCoverage(first.machine, graphs);
    const [uncoveredItem] = [states, transitions, guards].flatMap(({ uncovered }) => uncovered);
    return uncoveredItem === undefined ? null : `${uncoveredItem} is not reached`;
  };

  const findFault = (models: readonly PathModel[], names: ReadonlySet<string>): string | null => {
    for (const [name, starts] of Map.groupBy(models, (model) => model.name)) {
      const fault = names.has(name) ? findMachineFault(name, starts) : null;
      if (fault !== null) return fault;
    }
    return null;
  };

  const findDivergence = (module: object): string | null => {
    const { shopMachine } = module as { shopMachine: AnyStateMachine };
    for (const run of runs) {
      const { divergence } = replay(shopMachine, run);
      if (divergence) return `a recorded visit differs at step ${divergence.step}: ${divergence.why}`;
    }
    return null;
  };

  const withError = async (check: () => Promise<string | null>): Promise<string | null> => {
    try {
      return await check();
    } catch (error) {
      return `throws: ${error instanceof Error ? error.message : String(error)}`;
    }
  };

  const judgeByPaths = (mutant: Mutant): Promise<string | null> =>
    withError(async () => {
      for (const { path, names } of affectedFolders) {
        const fault = findFault(getModels(await loadChanged(path, mutant)), names);
        if (fault !== null) return fault;
      }
      return null;
    });

  const judgeByReplay = (mutant: Mutant): Promise<string | null> =>
    dependentFiles.has(SHOP_FILE) && !rules
      ? withError(async () => findDivergence(await loadChanged(SHOP_FILE, mutant)))
      : Promise.resolve(null);

  const measure = <Result>(check: () => Result): { result: Result; ms: number } => {
    const start = performance.now();
    return { result: check(), ms: performance.now() - start };
  };
  const unmutatedPaths = measure(() => affectedFolders.map(({ path, names }) => findFault(folders.get(path) ?? [], names)));
  const unmutatedReplay = measure(() => (rules ? null : findDivergence(shopModule)));
  const fault = [...unmutatedPaths.result, unmutatedReplay.result].find((each) => each !== null);
  if (fault !== undefined) throw new Error(`${file}: ${fault}, even without a mutation`);
  const isReplayFirst = !rules && unmutatedReplay.ms < unmutatedPaths.ms;

  const { shopMachine } = shopModule as { shopMachine: AnyStateMachine };
  const coverage = coverageSession && (await measureCoverage(coverageSession, () => runs.map((run) => replay(shopMachine, run))));

  return async (mutant) => {
    const replays = coverage !== null;
    const replayBefore = isReplayFirst || replays ? await judgeByReplay(mutant) : null;
    const pathsReason = replayBefore === null || replays ? await judgeByPaths(mutant) : null;
    const replayAfter = pathsReason === null && !isReplayFirst && !replays ? await judgeByReplay(mutant) : null;
    const crossed = coverage && { crossed: isCovered(coverage, root, mutant, machines) };
    return { byPaths: pathsReason, byReplay: replayBefore ?? replayAfter, ...crossed };
  };
};
