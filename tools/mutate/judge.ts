import { globSync, readFileSync } from 'node:fs';
import type { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import type { AnyStateMachine } from 'xstate';
import { unevenParts } from '../../machines/paths/parts-of-context.ts';
import { coverageOf } from '../../machines/paths/coverage.ts';
import { explore } from '../../machines/paths/explore.ts';
import type { Trace } from '../../machines/trace/format.ts';
import { traceIn } from '../../machines/trace/trace-in.ts';
import { replay } from '../../machines/trace/replay.ts';
import { stateNodesOf } from '../../machines/paths/transitions.ts';
import { uncaughtIn } from '../../machines/paths/waiting.ts';
import { ownFolders } from '../path-models/discovery.ts';
import { rejecting, type PathModel } from '../../machines/path-models/path-model.ts';
import { checkModel } from '../path-models/rules.ts';
import { untakenEvents } from '../path-models/untaken-events.ts';
import { approvedFile, behaviourOf, toApprove } from '../paths/behaviour.ts';
import { crossingOf, isCrossed } from './crossed.ts';
import type { Loader } from './load-mutants.ts';
import { machineFileOf, type Mutant } from './mutant.ts';

/** How a change was noticed, by the tests of paths and by the replay of a recorded visit; null where it was not. */
export type Verdict = {
  byPaths: string | null;
  byReplay: string | null;
  /** Whether the recorded visits went through what was changed; only where that was asked. */
  crossed?: boolean;
};

/** Asks what is quicker first, and the other only where that notices nothing, or where it counts what is crossed. */
export type Judge = (mutant: Mutant) => Promise<Verdict>;

type Folder = { path: string; names: ReadonlySet<string> };

const isMachine = (value: unknown): value is AnyStateMachine =>
  typeof value === 'object' && value !== null && 'getStateNodeById' in value;

const modelsIn = (module: object): PathModel[] => (module as { models: PathModel[] }).models.map(rejecting);

const shop = 'machines/app/shop.ts';
const traces = 'tests/traces/*.json';

/** A file of machines below `root`. With `rules`, the rules and the models’ tests judge alone. */
export type ToJudge = { root: string; file: string; rules: boolean };

/**
 * Judges changes of one file by what the unit tests ask first, without the time that a test runner takes to start: what was
 * approved of the machine (or, where nothing has to be, that its paths reach everything), and the recorded visits.
 */
export const createJudge = async (
  { root, file, rules }: ToJudge,
  { load, loadChanged, dependents }: Loader,
  counting: Session | null = null,
): Promise<Judge> => {
  const folders = new Map<string, PathModel[]>();
  for (const folder of ownFolders) {
    const path = `machines/path-models/${folder}/paths.ts`;
    folders.set(path, modelsIn(await load(path)));
  }
  const machines = Object.values(await load(machineFileOf(file))).filter(isMachine);
  const ids = new Set(machines.map(({ id }) => id));
  const shopModule = await load(shop);
  const reached = dependents(file);
  const isConcerned = ({ machine }: PathModel) => ids.size === 0 || ids.has(machine.id);
  const concerned: Folder[] = [...folders].flatMap(([path, models]) => {
    const names = new Set(models.filter(isConcerned).map(({ name }) => name));
    return reached.has(path) && names.size > 0 ? [{ path, names }] : [];
  });
  const all = Map.groupBy([...folders.values()].flat(), ({ name }) => name);
  const approved = new Map(toApprove(all).map(([name]) => [name, readFileSync(approvedFile(name), 'utf8')]));
  const runs = globSync(traces, { cwd: root })
    .toSorted()
    .flatMap((path) => traceIn(JSON.parse(readFileSync(join(root, path), 'utf8')) as Trace).runs);

  const faultOf = (name: string, starts: PathModel[]): string | null => {
    const text = approved.get(name);
    if (rules) {
      for (const model of starts) {
        const [broken] = checkModel(model);
        if (broken) return `${name} breaks the rule that ${broken.rule}`;
      }
    } else if (text !== undefined) return behaviourOf(name, starts) === text ? null : `${name} does not do what was approved`;
    const [first] = starts;
    if (!first) return `${name} has no start`;
    const graphs = starts.map((model) => explore(model.machine, model));
    if (graphs.some(({ failures }) => failures.length > 0)) return `${name} throws in a step`;
    const [uneven] = unevenParts(graphs);
    if (uneven !== undefined) return uneven;
    const [untaken] = untakenEvents(first.description, graphs);
    if (untaken !== undefined) return `${untaken} is taken nowhere`;
    const [uncaught] = uncaughtIn(stateNodesOf(first.machine));
    if (uncaught !== undefined) return `${uncaught} rejects, and nothing catches it`;
    const { states, transitions, guards } = coverageOf(first.machine, graphs);
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
        const fault = faultIn(modelsIn(await loadChanged(path, mutant)), names);
        if (fault !== null) return fault;
      }
      return null;
    });

  const byReplay = (mutant: Mutant): Promise<string | null> =>
    reached.has(shop) && !rules ? withError(async () => divergenceIn(await loadChanged(shop, mutant))) : Promise.resolve(null);

  const timed = <Result>(ask: () => Result): { result: Result; ms: number } => {
    const start = performance.now();
    return { result: ask(), ms: performance.now() - start };
  };
  const before = timed(() => concerned.map(({ path, names }) => faultIn(folders.get(path) ?? [], names)));
  const visit = timed(() => (rules ? null : divergenceIn(shopModule)));
  const fault = [...before.result, visit.result].find((found) => found !== null);
  if (fault !== undefined) throw new Error(`${file}: ${fault}, before anything is changed`);
  const isVisitFirst = !rules && visit.ms < before.ms;

  const { shopMachine } = shopModule as { shopMachine: AnyStateMachine };
  const crossing = counting && (await crossingOf(counting, () => runs.map((run) => replay(shopMachine, run))));

  return async (mutant) => {
    const replays = crossing !== null;
    const early = isVisitFirst || replays ? await byReplay(mutant) : null;
    const paths = early === null || replays ? await byPaths(mutant) : null;
    const late = paths === null && !isVisitFirst && !replays ? await byReplay(mutant) : null;
    const crossed = crossing && { crossed: isCrossed(crossing, root, mutant, machines) };
    return { byPaths: paths, byReplay: early ?? late, ...crossed };
  };
};
