import type { AnyActor, AnyMachineSnapshot } from 'xstate';
import { isLike, type GotReaction } from '../compare.ts';
import type { Plain, Reaction, Run, Shown, Step, Told } from '../format.ts';
import { isHash, plainOf } from '../plain.ts';
import { beginsAnew } from './names.ts';

/** The order in which actors take their turns has changed; that of each has not. */
const byActor = <Part>(parts: readonly Part[], actorOf: (part: Part) => string): Part[] =>
  parts.toSorted((a, b) => (actorOf(a) < actorOf(b) ? -1 : actorOf(a) > actorOf(b) ? 1 : 0));

const pairOf = ({ by, to }: Told): string => `${by} ${to}`;

type Got = { reactions: GotReaction[]; told: Told[] };
type Both = { expected: Required<Step>; got: Got };

/** Messages between a purchase and the screen that only some of the four older flows sent. */
const isOfAction = (type: string): boolean => type === 'action.begun' || type === 'action.ended';

const typeOf = (told: Told): string => {
  const event = 'event' in told ? told.event : null;
  const type = typeof event === 'object' && event !== null && !Array.isArray(event) ? event['type'] : undefined;
  return typeof type === 'string' ? type : '';
};

const isOfWay = (type: string): boolean => type === 'go' || type === 'history.replace';

/** Hashes of values that name a flow cannot be translated, so they are not compared. */
const namesNewFlow = (value: Plain): boolean => {
  const text = JSON.stringify(value);
  return text.includes('"flow":"purchase"') || (text.includes('"flow":"receipt"') && text.includes('"of":"subscription"'));
};

/** The recorded value; the present one in place of a hash that cannot be compared. */
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
 * The part of a step that an older shop and today's have in common: all but the inside of a
 * purchase, whose machines differ. Its messages to the screen are compared.
 */
export const inBothShops = (
  { purchases }: Run,
  { expected, got }: Both,
): { expected: Pick<Both['expected'], 'reactions' | 'told'>; got: Got } => {
  if (purchases === undefined) return { expected, got };
  const isOfPurchase = (actor: string): boolean =>
    purchases.some((purchase) => actor === purchase || actor.startsWith(`${purchase}/`));
  const isCompared = ({ actor, on }: Reaction): boolean => !isOfPurchase(actor) && !(actor === 'root/screen' && isOfAction(on));
  const isComparedTold = (each: Told): boolean =>
    !isOfPurchase(each.to) && (!isOfPurchase(each.by) || each.to === 'root/screen') && !isOfAction(typeOf(each));
  /** Today every purchase sets the screen's `action`. */
  const withoutAction = (each: Reaction): Reaction => {
    if (each.actor !== 'root/screen') return each;
    const { action: _, ...changed } = each.changed;
    return { ...each, changed };
  };
  const isWayThere = beginsAnew(expected) ? isOfWay : () => false;
  const gotReactions = got.reactions
    .filter(({ reaction }) => isCompared(reaction) && !isWayThere(reaction.on))
    .map(({ reaction, before }) => ({ reaction: withoutAction(reaction), before }));
  const gotTold = got.told.filter((each) => isComparedTold(each) && !isWayThere(typeOf(each)));
  const reactions = byActor(gotReactions, ({ reaction }) => reaction.actor);
  const told = byActor(gotTold, pairOf);
  const wanted = byActor(expected.reactions.filter(isCompared).map(withoutAction), ({ actor }) => actor);
  const wantedTold = byActor(
    expected.told.filter((each) => isComparedTold(each) && !isWayThere(typeOf(each))),
    pairOf,
  );
  return {
    expected: { reactions: withComparable(wanted, reactions), told: withComparableTold(wantedTold, told) },
    got: { reactions, told },
  };
};

/** The first actor of a purchase in another state than in the record; null when none is. */
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
