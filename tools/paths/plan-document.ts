import type { AnyEventObject, AnyStateMachine } from 'xstate';
import type { Graph } from '../../machines/paths/explore.ts';
import type { BrowserAdapter } from '../tours/browser-adapter.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { StepActor } from './describe-step.ts';
import type { PlanOptions, WalkOptions } from './options.ts';

/**
 * A machine from one of its starts, with its graph. In the shop, `machine` includes more than the
 * model's, and `adapter` lists the calls of its ports.
 */
export type ExploredModel = { model: PathModel; machine: AnyStateMachine; graph: Graph; adapter?: BrowserAdapter };

/**
 * Preparations by the tester before a step, so that a later step has the planned outcome; for a
 * step of the server, also its response.
 */
export type Preparation = {
  before: PreparationTask[];
  /** Response bodies of the calls, where they differ from the server's own. */
  answers: { call: string; body: string }[];
};

/** An instruction without its full stop, and the step whose response the instruction prepares. */
export type PreparationTask = { does: string; step: number };

export type PlanStep = Preparation & {
  number: number;
  by: StepActor;
  does: string;
  /** The expected screen afterwards, one line each. */
  sees: string[];
  event: AnyEventObject;
  /** The machine's states afterwards. */
  states: string[];
  /** Specification rows that the step proves. */
  spec: string[];
};

/**
 * `waits` lists the ids of requests and delays that are pending at the end of the test: normally it
 * is empty.
 */
export type PlanTest = Pick<Preparation, 'before'> & {
  number: number;
  given: string;
  spec: string[];
  sees: string[];
  steps: PlanStep[];
  waits: string[];
};

/** A machine's tests as text. */
export type PlanDocument = {
  machine: string;
  title: string;
  about: string;
  criterion: PlanOptions['criterion'];
  walks: WalkOptions | null;
  stop: string | null;
  covered: number;
  total: number;
  /** Names of items that no test reaches. */
  uncovered: string[];
  /**
   * Names of items that the machine alone can reach but the shop cannot: no tester can see them;
   * the CI check covers them.
   */
  beyondShop: string[];
  tests: PlanTest[];
};
