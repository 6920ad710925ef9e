import type { AnyActor, AnyMachineSnapshot } from 'xstate';
import { isLike, type GotReaction } from '../compare.ts';
import type { Plain, Reaction, Run, Shown, Step, Told } from '../format.ts';
import { isHash, plainOf } from '../plain.ts';

type Got = { reactions: GotReaction[]; told: Told[] };
type Both = { expected: Required<Step>; got: Got };

/** Messages between a purchase and the screen that only some of the four older flows sent. */
const isOfAction = (type: string): boolean => type === 'action.begun' || type === 'action.ended';

const typeIn = (event: Plain): string => {
  const type = typeof event === 'object' && event !== null && !Array.isArray(event) ? event['type'] : undefined;
  return typeof type === 'string' ? type : '';
};

/** A hash cannot be translated: it is not compared where its value names a flow of today. */
const namesNewFlow = (value: Plain): boolean => {
  const text = JSON.stringify(value);
  return text.includes('"flow":"purchase"') || (text.includes('"flow":"receipt"') && text.includes('"of":"subscription"'));
};

/** The recorded value, or the present one where the recorded one is a hash that cannot be compared. */
const comparable = (recorded: Plain, got: Plain): Plain => (isHash(recorded) && namesNewFlow(got) ? got : recorded);

const withComparable = (expected: readonly Reaction[], got: readonly GotReaction[]): Reaction[] =>
  expected.map((each, at) => {
    const changed = got[at]?.reaction.changed ?? {};
    const entries = Object.entries(each.changed).map(([key, value]): [string, Plain] => [
      key,
      key in changed ? comparable(value, changed[key] ?? null) : value,
    ]);
    return { ...each, changed: Object.fromEntries(entries) };
  });

const withComparableTold = (expected: readonly Told[], got: readonly Told[]): Told[] =>
  expected.map((each, at) => {
    const now = got[at];
    if (now === undefined) return each;
    if ('input' in each) return 'input' in now ? { ...each, input: comparable(each.input, now.input) } : each;
    return 'event' in now ? { ...each, event: comparable(each.event, now.event) } : each;
  });

/**
 * What a run by an older shop and its replay have in common: everything but what happened within a purchase, whose machines were
 * others. What a purchase told the screen is compared.
 */
export const inBothShops = ({ purchases }: Run, { expected, got }: Both): { expected: Pick<Both['expected'], 'reactions' | 'told'>; got: Got } => {
  if (purchases === undefined) return { expected, got };
  const isOfPurchase = (actor: string): boolean =>
    purchases.some((purchase) => actor === purchase || actor.startsWith(`${purchase}/`));
  const isCompared = ({ actor, on }: Reaction): boolean => !isOfPurchase(actor) && !(actor === 'root/screen' && isOfAction(on));
  const isComparedTold = (each: Told): boolean =>
    !isOfPurchase(each.to) &&
    (!isOfPurchase(each.by) || each.to === 'root/screen') &&
    !('event' in each && isOfAction(typeIn(each.event)));
  /** What the customer is doing is known of every purchase now. */
  const withoutAction = (each: Reaction): Reaction => {
    if (each.actor !== 'root/screen') return each;
    const { action: _, ...changed } = each.changed;
    return { ...each, changed };
  };
  const reactions = got.reactions
    .filter(({ reaction }) => isCompared(reaction))
    .map(({ reaction, before }) => ({ reaction: withoutAction(reaction), before }));
  const told = got.told.filter(isComparedTold);
  return {
    expected: {
      reactions: withComparable(expected.reactions.filter(isCompared).map(withoutAction), reactions),
      told: withComparableTold(expected.told.filter(isComparedTold), told),
    },
    got: { reactions, told },
  };
};

/** The first actor of a purchase that shows something else than in the older shop; null when none does. */
export const otherThanShown = (
  shows: readonly Shown[],
  actors: ReadonlyMap<string, AnyActor>,
): { expected: Reaction; got?: Reaction } | null => {
  for (const { actor, state, context } of shows) {
    const expected = { actor, on: 'shown', state, changed: context };
    const now = actors.get(actor)?.getSnapshot() as AnyMachineSnapshot | undefined;
    if (!now) return { expected };
    const entries = Object.keys(context).map((key) => [key, plainOf((now.context as Record<string, unknown>)[key])]);
    const got = { actor, on: 'shown', state: plainOf(now.value), changed: Object.fromEntries(entries) as Record<string, Plain> };
    const isAlike = isLike(state, got.state) && Object.entries(context).every(([key, value]) => isLike(value, got.changed[key]));
    if (!isAlike) return { expected, got };
  }
  return null;
};
