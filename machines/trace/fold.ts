import type { Input, ShownState, Step } from './format.ts';

export const toTurnKey = (actor: string, turn: number): string => `${actor}#${turn}`;

/** The states after two merged steps: actors that appear only in the first step have stopped. */
const mergeShown = (first: readonly ShownState[], second: readonly ShownState[]): ShownState[] => {
  const firstContexts = new Map(first.map(({ actor, context }) => [actor, context]));
  return second.map((each) => ({ ...each, context: { ...firstContexts.get(each.actor), ...each.context } }));
};

/**
 * Splits recorded steps into the steps to replay and the answers that an effect sent while it
 * handled an event. The effect's stub repeats these answers; their reactions and messages are added
 * to the previous step.
 */
export const foldAnswers = (recorded: readonly Step[]) => {
  const steps: Required<Step>[] = [];
  const answers = new Map<string, Input[]>();
  for (const step of recorded) {
    const { input } = step;
    const lastStep = steps.at(-1);
    if (!('turn' in input) || input.turn === undefined || !lastStep) {
      steps.push({
        ...step,
        reactions: [...step.reactions],
        messages: [...(step.messages ?? [])],
        shownStates: step.shownStates ?? [],
      });
      continue;
    }
    const key = toTurnKey(input.from ?? input.to, input.turn);
    answers.set(key, [...(answers.get(key) ?? []), input]);
    lastStep.reactions.push(...step.reactions);
    lastStep.messages.push(...(step.messages ?? []));
    lastStep.shownStates = mergeShown(lastStep.shownStates, step.shownStates ?? []);
  }
  return { steps, answers };
};
