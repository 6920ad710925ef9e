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
import { findUncaught } from '../../machines/paths/waiting.ts';
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
  { load, loadChanged, dependents }: Loader,
  counting: Session | null = null,
): Promise<Judge> => {
  const folders = new Map<string, PathModel[]>();
  for (const folder of modelFolders) {
    const path = `machines/path-models/${folder}/paths.ts`;
    folders.set(path, getModels(await load(path)));
  }
  const machines = Object.values(await load(getMachineFile(file))).filter(isMachine);
  const ids = new Set(machines.map(({ id }) => id));
  const shopModule = await load(SHOP_FILE);
  const reached = dependents(file);
  const isConcerned = ({ machine }: PathModel) => ids.size === 0 || ids.has(machine.id);
  const concerned: Folder[] = [...folders].flatMap(([path, models]) => {
    const names = new Set(models.filter(isConcerned).map(({ name }) => name));
    return reached.has(path) && names.size > 0 ? [{ path, names }] : [];
  });
  const all = Map.groupBy([...folders.values()].flat(), ({ name }) => name);
  const approved = new Map(selectMachines(all).map(([name]) => [name, readFileSync(getApprovedFile(name), 'utf8')]));
  const runs = globSync(TRACE_GLOB, { cwd: root })
    .toSorted()
    .flatMap((path) => traceFromJson(JSON.parse(readFileSync(join(root, path), 'utf8')) as Trace).runs);

  const faultOf = (name: string, starts: PathModel[]): string | null => {
    const text = approved.get(name);
    if (rules) {
      for (const model of starts) {
        const [broken] = checkModel(model);
        if (broken) return `${name} breaks the rule that ${broken.rule}`;
      }
    } else if (text !== undefined) return describeMachine(name, starts) === text ? null : `${name} does not do what was approved`;
    const [first] = starts;
    if (!first) return `${name} has no path model`;
    const graphs = starts.map((model) => explore(model.machine, model));
    if (graphs.some(({ failures }) => failures.length > 0)) return `${name} throws in a step`;
    const [uneven] = findUnevenParts(graphs);
    if (uneven !== undefined) return uneven;
    const [untaken] = findUntakenEvents(first.description, graphs);
    if (untaken !== undefined) return `no transition takes ${untaken}`;
    const [uncaught] = findUncaught(getAllStateNodes(first.machine));
    if (uncaught !== undefined) return `${uncaught} rejects, and no transition handles it`;
    const { states, transitions, guards } = getCoverage(first.machine, graphs);
    const [missed] = [states, transitions, guards].flatMap(({ uncovered }) => uncovered);
    return missed === undefined ? null : `${missed} is not reached`;
  };

  const faultIn = (models: readonly PathModel[], names: ReadonlySet<string>): string | null => {
    for (const [name, starts] of Map.groupBy(models, (model) => model.name)) {
      const fault = names.has(name) ? faultOf(name, starts) : null;
      if (fault !== null) return fault;
    }
    return null;
  };

  const divergenceIn = (module: object): string | null => {
    const { shopMachine } = module as { shopMachine: AnyStateMachine };
    for (const run of runs) {
      const { divergence } = replay(shopMachine, run);
      if (divergence) return `a recorded visit differs at step ${divergence.step}: ${divergence.why}`;
    }
    return null;
  };

  const withError = async (ask: () => Promise<string | null>): Promise<string | null> => {
    try {
      return await ask();
    } catch (error) {
      return `throws: ${error instanceof Error ? error.message : String(error)}`;
    }
  };

  const byPaths = (mutant: Mutant): Promise<string | null> =>
    withError(async () => {
      for (const { path, names } of concerned) {
        const fault = faultIn(getModels(await loadChanged(path, mutant)), names);
        if (fault !== null) return fault;
      }
      return null;
    });

  const byReplay = (mutant: Mutant): Promise<string | null> =>
    reached.has(SHOP_FILE) && !rules
      ? withError(async () => divergenceIn(await loadChanged(SHOP_FILE, mutant)))
      : Promise.resolve(null);

  const timed = <Result>(ask: () => Result): { result: Result; ms: number } => {
    const start = performance.now();
    return { result: ask(), ms: performance.now() - start };
  };
  const before = timed(() => concerned.map(({ path, names }) => faultIn(folders.get(path) ?? [], names)));
  const visit = timed(() => (rules ? null : divergenceIn(shopModule)));
  const fault = [...before.result, visit.result].find((found) => found !== null);
  if (fault !== undefined) throw new Error(`${file}: ${fault}, even without a mutation`);
  const isVisitFirst = !rules && visit.ms < before.ms;

  const { shopMachine } = shopModule as { shopMachine: AnyStateMachine };
  const crossing = counting && (await measureCoverage(counting, () => runs.map((run) => replay(shopMachine, run))));

  return async (mutant) => {
    const replays = crossing !== null;
    const early = isVisitFirst || replays ? await byReplay(mutant) : null;
    const paths = early === null || replays ? await byPaths(mutant) : null;
    const late = paths === null && !isVisitFirst && !replays ? await byReplay(mutant) : null;
    const crossed = crossing && { crossed: isCovered(crossing, root, mutant, machines) };
    return { byPaths: paths, byReplay: early ?? late, ...crossed };
  };
};
