import type { Input, Shown, Step } from './format.ts';

export const turnKey = (actor: string, turn: number): string => `${actor}#${turn}`;

/** What an actor shows at the end of two steps that are one. */
const mergedShows = (first: readonly Shown[], second: readonly Shown[]): Shown[] => {
  const shows = new Map(first.map((each) => [each.actor, each]));
  for (const each of second) {
    shows.set(each.actor, { ...each, context: { ...shows.get(each.actor)?.context, ...each.context } });
  }
  return [...shows.values()];
};

/** Takes answers that an effect gave while it was itself taking an event out of the steps: in a replay its stub gives them again. */
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
    last.shows = mergedShows(last.shows, step.shows ?? []);
  }
  return { steps, answers };
};
