import type { AnyEventObject, AnyStateMachine } from 'xstate';
import type { Graph } from '../../machines/paths/explore.ts';
import type { Stage } from '../tours/stage.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import type { Doer } from './describe-step.ts';
import type { PlanOptions, Walks } from './options.ts';

/**
 * A machine from one of its starts, and what can be done there. In the shop `machine` is more than the model's, and its `stage` knows
 * which calls its ports make.
 */
export type Start = { model: PathModel; machine: AnyStateMachine; graph: Graph; stage?: Stage };

/** What a tester does before a step, so that a later one comes out as it says; and, of a step of the server, its answer. */
export type Preparation = {
  before: Order[];
  /** The bodies of the calls that answer so, where the server's own answer is another one. */
  answers: { call: string; body: string }[];
};

/** What is done, as a sentence without its full stop, and the step of the answer that it is for. */
export type Order = { does: string; step: number };

export type PlanStep = Preparation & {
  number: number;
  by: Doer;
  does: string;
  /** What must be seen then, a line each. */
  sees: string[];
  event: AnyEventObject;
  /** The states that the machine is in then. */
  states: string[];
  /** Specification rows that the step shows. */
  spec: string[];
};

/** `waits` is what goes on by itself when the test ends: as a rule, nothing. */
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
  walks: Walks | null;
  stop: string | null;
  covered: number;
  total: number;
  /** The names of what no test reaches. */
  uncovered: string[];
  /** The names of what the machine alone would do and the shop never lets happen: no tester can see it, the gate does. */
  beyondShop: string[];
  tests: PlanTest[];
};
