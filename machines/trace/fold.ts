import type { Input, Shown, Step } from './format.ts';

export const turnKey = (actor: string, turn: number): string => `${actor}#${turn}`;

/** The state after two merged steps: actors that appear only in the first step have stopped. */
const mergeShown = (first: readonly Shown[], second: readonly Shown[]): Shown[] => {
  const before = new Map(first.map(({ actor, context }) => [actor, context]));
  return second.map((each) => ({ ...each, context: { ...before.get(each.actor), ...each.context } }));
};

/**
 * Removes answers that an effect gave while it handled an event: in a replay its stub repeats them.
 */
export const fold = (recorded: readonly Step[]) => {
  const steps: Required<Step>[] = [];
  const answers = new Map<string, Input[]>();
  for (const step of recorded) {
    const { input } = step;
    const last = steps.at(-1);
    if (!('turn' in input) || input.turn === undefined || !last) {
      steps.push({ ...step, reactions: [...step.reactions], told: [...(step.told ?? [])], shows: step.shows ?? [] });
      continue;
    }
    const key = turnKey(input.from ?? input.to, input.turn);
    answers.set(key, [...(answers.get(key) ?? []), input]);
    last.reactions.push(...step.reactions);
    last.told.push(...(step.told ?? []));
    last.shows = mergeShown(last.shows, step.shows ?? []);
  }
  return { steps, answers };
};
