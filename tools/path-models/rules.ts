import { checkRules, type Counterexample } from '../../machines/paths/check-rules.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { brokenIn, memoryOf, type Rule } from '../../machines/paths/rules.ts';
import type { AnyEventObject } from 'xstate';
import { filesIn, ownFolders } from './discovery.ts';
import { generalRules } from '../../machines/path-models/general-rules.ts';
import type { MachineRules } from '../../machines/path-models/machine-rules.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

const own = new Map<string, MachineRules>();
for (const folder of ownFolders.filter((each) => filesIn('machines/path-models', each, 'rules.ts').length > 0)) {
  const { rules } = (await import(/* @vite-ignore */ `../../machines/path-models/${folder}/rules.ts`)) as {
    rules: Record<string, MachineRules>;
  };
  for (const [name, each] of Object.entries(rules)) own.set(name, each);
}

/** What each machine says of itself, by its name. */
export const rulesByMachine: ReadonlyMap<string, MachineRules> = own;

/** Every rule for a machine: those of all machines, then its own. */
export const rulesOf = (model: PathModel): Rule[] => [
  ...generalRules(model, own.get(model.name)),
  ...(own.get(model.name)?.rules ?? []),
];

/** Whether an event is something that a customer does. */
const isPressOf =
  ({ description }: Pick<PathModel, 'description'>) =>
  (type: string): boolean =>
    type in (description.presses ?? {});

/**
 * Says which rules do not hold on a machine's paths from the start of a model, each with a shortest path that shows it. What the
 * rules keep in mind and what they read tell snapshots apart, so that one of each kind is enough.
 */
export const checkModel = (model: PathModel, rules: readonly Rule[] = rulesOf(model)): Counterexample[] => {
  const reads = own.get(model.name)?.reads;
  return checkRules(model.machine, rules, { ...model, perKind: 1, isPress: isPressOf(model), ...(reads && { apart: reads }) });
};

/**
 * The rules that break when a machine is led through these events from the start of a model; for tests of one path. Rules about
 * what can happen afterwards are asked of all paths.
 */
export const brokenOn = (
  model: PathModel,
  events: readonly AnyEventObject[],
  rules: readonly Rule[] = rulesOf(model),
): string[] => {
  const stepper = createStepper(model.machine);
  const { start, next } = memoryOf(rules);
  const first = stepper.start(model.input);
  let { snapshot } = first;
  let memory = next(start, { before: null, event: { type: 'xstate.init', input: model.input }, ...first });
  for (const event of events) {
    const step = stepper.step(snapshot, event);
    memory = next(memory, { before: snapshot, event, ...step });
    snapshot = step.snapshot;
  }
  const afterwards = rules.filter(({ kind }) => kind !== 'steps');
  return [...brokenIn(memory).map(({ at }) => rules[at]?.name ?? ''), ...checkModel(model, afterwards).map(({ rule }) => rule)];
};
