import { checkRules, type Counterexample } from '../../machines/paths/check-rules.ts';
import { createStepper } from '../../machines/paths/stepper.ts';
import { getViolations, createMemory, type Rule } from '../../machines/paths/rules.ts';
import type { AnyEventObject } from 'xstate';
import { findFiles, modelFolders } from './discovery.ts';
import { createGeneralRules } from '../../machines/path-models/general-rules.ts';
import type { MachineRules } from '../../machines/path-models/machine-rules.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';

const machineRules = new Map<string, MachineRules>();
for (const folder of modelFolders.filter((each) => findFiles('machines/path-models', each, 'rules.ts').length > 0)) {
  const { rules } = (await import(/* @vite-ignore */ `../../machines/path-models/${folder}/rules.ts`)) as {
    rules: Record<string, MachineRules>;
  };
  for (const [name, each] of Object.entries(rules)) machineRules.set(name, each);
}

/** The machines' own rules, by the machine's name. */
export const rulesByMachine: ReadonlyMap<string, MachineRules> = machineRules;

/** Every rule for a machine: those of all machines, then its own. */
export const getRules = (model: PathModel): Rule[] => [
  ...createGeneralRules(model, machineRules.get(model.name)),
  ...(machineRules.get(model.name)?.rules ?? []),
];

/** Creates a predicate that tests whether a type of event is an action of the customer. */
const createPressPredicate =
  ({ description }: Pick<PathModel, 'description'>) =>
  (type: string): boolean =>
    type in (description.presses ?? {});

/**
 * Finds the rules that are violated on a machine's paths from the start of a model, each with a
 * shortest path as proof. Snapshots are distinguished only by the state and the context that the
 * rules read, so one of each kind is enough.
 */
export const checkModel = (model: PathModel, rules: readonly Rule[] = getRules(model)): Counterexample[] => {
  const getReadValues = machineRules.get(model.name)?.getReadValues;
  return checkRules(model.machine, rules, {
    ...model,
    perKind: 1,
    isPress: createPressPredicate(model),
    ...(getReadValues && { apart: getReadValues }),
  });
};

/**
 * The names of the rules that are violated when a machine receives these events from the start of a
 * model; for tests of one path. Rules about future possibilities are checked on all paths.
 */
export const findBroken = (
  model: PathModel,
  events: readonly AnyEventObject[],
  rules: readonly Rule[] = getRules(model),
): string[] => {
  const stepper = createStepper(model.machine);
  const { start, next } = createMemory(rules);
  const initialStep = stepper.start(model.input);
  let { snapshot } = initialStep;
  let memory = next(start, { before: null, event: { type: 'xstate.init', input: model.input }, ...initialStep });
  for (const event of events) {
    const step = stepper.step(snapshot, event);
    memory = next(memory, { before: snapshot, event, ...step });
    snapshot = step.snapshot;
  }
  const futureRules = rules.filter(({ kind }) => kind !== 'steps');
  return [
    ...getViolations(memory).map(({ at }) => rules[at]?.name ?? ''),
    ...checkModel(model, futureRules).map(({ rule }) => rule),
  ];
};
