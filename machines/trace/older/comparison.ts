import type { AnyActor, AnyMachineSnapshot } from 'xstate';
import { isLike, type GotReaction } from '../compare.ts';
import type { Plain, Reaction, Run, Shown, Step, CrossMessage } from '../format.ts';
import { isHash, toPlain } from '../plain.ts';
import { restartsPurchase } from './names.ts';

/** Sorts by actor: the order among actors has changed since, the order within each has not. */
const sortByActor = <Part>(parts: readonly Part[], actorOf: (part: Part) => string): Part[] =>
  parts.toSorted((a, b) => (actorOf(a) < actorOf(b) ? -1 : actorOf(a) > actorOf(b) ? 1 : 0));

const toPairKey = ({ by, to }: CrossMessage): string => `${by} ${to}`;

type ActualStep = { reactions: GotReaction[]; told: CrossMessage[] };
type ComparedStep = { expected: Required<Step>; got: ActualStep };

/** Messages between a purchase and the screen that only some of the four older flows sent. */
const isActionEvent = (type: string): boolean => type === 'action.begun' || type === 'action.ended';

const getEventType = (told: CrossMessage): string => {
  const event = 'event' in told ? told.event : null;
  const type = typeof event === 'object' && event !== null && !Array.isArray(event) ? event['type'] : undefined;
  return typeof type === 'string' ? type : '';
};

const isNavigationEvent = (type: string): boolean => type === 'go' || type === 'history.replace';

/** Hashes of values that contain a flow's name cannot be translated, so they are not compared. */
const namesNewFlow = (value: Plain): boolean => {
  const text = JSON.stringify(value);
  return text.includes('"flow":"purchase"') || (text.includes('"flow":"receipt"') && text.includes('"of":"subscription"'));
};

/** The recorded value, or the present one if the record has a hash that cannot be compared. */
const chooseComparable = (recorded: Plain, got: Plain): Plain => (isHash(recorded) && namesNewFlow(got) ? got : recorded);

const withComparable = (expected: readonly Reaction[], got: readonly GotReaction[]): Reaction[] =>
  expected.map((each, at) => {
    const changed = got[at]?.reaction.changed ?? {};
    const entries = Object.entries(each.changed).map(([key, value]): [string, Plain] => [
      key,
      key in changed ? chooseComparable(value, changed[key] ?? null) : value,
    ]);
    return { ...each, changed: Object.fromEntries(entries) };
  });

const withComparableMessages = (expected: readonly CrossMessage[], got: readonly CrossMessage[]): CrossMessage[] =>
  expected.map((each, at) => {
    const now = got[at];
    if (now === undefined) return each;
    if ('input' in each) return 'input' in now ? { ...each, input: chooseComparable(each.input, now.input) } : each;
    return 'event' in now ? { ...each, event: chooseComparable(each.event, now.event) } : each;
  });

/**
 * The part of a step that an older shop and the current one share: all but the inside of a
 * purchase, whose machines differ. Its messages to the screen are compared.
 */
export const keepCommonParts = (
  { purchases }: Run,
  { expected, got }: ComparedStep,
): { expected: Pick<ComparedStep['expected'], 'reactions' | 'told'>; got: ActualStep } => {
  if (purchases === undefined) return { expected, got };
  const isOfPurchase = (actor: string): boolean =>
    purchases.some((purchase) => actor === purchase || actor.startsWith(`${purchase}/`));
  const isCompared = ({ actor, on }: Reaction): boolean =>
    !isOfPurchase(actor) && !(actor === 'root/screen' && isActionEvent(on));
  const isComparedTold = (each: CrossMessage): boolean =>
    !isOfPurchase(each.to) && (!isOfPurchase(each.by) || each.to === 'root/screen') && !isActionEvent(getEventType(each));
  /** Now every purchase sets the screen's `action`. */
  const withoutAction = (each: Reaction): Reaction => {
    if (each.actor !== 'root/screen') return each;
    const { action: _, ...changed } = each.changed;
    return { ...each, changed };
  };
  const isWayThere = restartsPurchase(expected) ? isNavigationEvent : () => false;
  const gotReactions = got.reactions
    .filter(({ reaction }) => isCompared(reaction) && !isWayThere(reaction.on))
    .map(({ reaction, before }) => ({ reaction: withoutAction(reaction), before }));
  const gotTold = got.told.filter((each) => isComparedTold(each) && !isWayThere(getEventType(each)));
  const reactions = sortByActor(gotReactions, ({ reaction }) => reaction.actor);
  const told = sortByActor(gotTold, toPairKey);
  const wanted = sortByActor(expected.reactions.filter(isCompared).map(withoutAction), ({ actor }) => actor);
  const wantedTold = sortByActor(
    expected.told.filter((each) => isComparedTold(each) && !isWayThere(getEventType(each))),
    toPairKey,
  );
  return {
    expected: { reactions: withComparable(wanted, reactions), told: withComparableMessages(wantedTold, told) },
    got: { reactions, told },
  };
};

/**
 * The first actor of a purchase whose state differs from the record; null if there is no
 * difference.
 */
export const findUnlikeShown = (
  shows: readonly Shown[],
  actors: ReadonlyMap<string, AnyActor>,
): { expected: Reaction; got?: Reaction } | null => {
  for (const { actor, state, context } of shows) {
    const expected = { actor, on: 'shown', state, changed: context };
    const now = actors.get(actor)?.getSnapshot() as AnyMachineSnapshot | undefined;
    if (!now) return { expected };
    const entries = Object.keys(context).map((key) => [key, toPlain((now.context as Record<string, unknown>)[key])]);
    const got = { actor, on: 'shown', state: toPlain(now.value), changed: Object.fromEntries(entries) as Record<string, Plain> };
    const isAlike = isLike(state, got.state) && Object.entries(context).every(([key, value]) => isLike(value, got.changed[key]));
    if (!isAlike) return { expected, got };
  }
  return null;
};
