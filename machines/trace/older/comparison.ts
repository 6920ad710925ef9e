import type { AnyActor, AnyMachineSnapshot } from 'xstate';
import { isLike, type ReplayedReaction } from '../compare.ts';
import type { Plain, Reaction, Run, ShownState, Step, CrossMessage } from '../format.ts';
import { isHash, toPlain } from '../plain.ts';
import { restartsPurchase } from './names.ts';
import { withHashedTypes } from './renames.ts';

/**
 * Sorts by actor: the order of different actors may have changed, the order within each has not.
 */
const sortByActor = <Part>(parts: readonly Part[], actorOf: (part: Part) => string): Part[] =>
  parts.toSorted((a, b) => (actorOf(a) < actorOf(b) ? -1 : actorOf(a) > actorOf(b) ? 1 : 0));

const toPairKey = ({ from, to }: CrossMessage): string => `${from} ${to}`;

type ActualStep = { reactions: ReplayedReaction[]; messages: CrossMessage[] };
type ComparedStep = { expected: Required<Step>; got: ActualStep };

/** Whether an event to the screen is one that only some of the four older flows sent. */
const isActionEvent = (type: string): boolean => type === 'action.started' || type === 'action.ended';

const getEventType = (message: CrossMessage): string => {
  const event = 'event' in message ? message.event : null;
  const type = typeof event === 'object' && event !== null && !Array.isArray(event) ? event['type'] : undefined;
  return typeof type === 'string' ? type : '';
};

const isNavigationEvent = (type: string): boolean => type === 'go' || type === 'history.replace';

/**
 * Whether a value contains the current name of a flow whose name has changed. The recorded hash of
 * such a value cannot be translated, so it is not compared.
 */
const namesNewFlow = (value: Plain): boolean => {
  const text = JSON.stringify(value);
  return text.includes('"flow":"purchase"') || (text.includes('"flow":"receipt"') && text.includes('"of":"subscription"'));
};

/** The recorded value, or the replayed one if the record has a hash that cannot be compared. */
const chooseComparable = (recorded: Plain, got: Plain): Plain => (isHash(recorded) && namesNewFlow(got) ? got : recorded);

const withComparable = (expected: readonly Reaction[], got: readonly ReplayedReaction[]): Reaction[] =>
  expected.map((each, index) => {
    const changed = got[index]?.reaction.changed ?? {};
    const entries = Object.entries(each.changed).map(([key, value]): [string, Plain] => [
      key,
      key in changed ? chooseComparable(value, changed[key] ?? null) : value,
    ]);
    return { ...each, changed: Object.fromEntries(entries) };
  });

const withComparableMessages = (expected: readonly CrossMessage[], got: readonly CrossMessage[]): CrossMessage[] =>
  expected.map((each, index) => {
    const actual = got[index];
    if (actual === undefined) return each;
    if ('input' in each) return 'input' in actual ? { ...each, input: chooseComparable(each.input, actual.input) } : each;
    return 'event' in actual ? { ...each, event: chooseComparable(each.event, actual.event) } : each;
  });

/**
 * The parts of a step that can be compared with an older shop's record: all except the reactions
 * and messages within a purchase, whose machines differ. Its messages to the screen are compared.
 */
export const keepCommonParts = (
  { purchases, hasOldNames }: Run,
  { expected, got }: ComparedStep,
): { expected: Pick<ComparedStep['expected'], 'reactions' | 'messages'>; got: ActualStep } => {
  const withComparableTypes = (recorded: readonly CrossMessage[], messages: CrossMessage[]): CrossMessage[] =>
    hasOldNames ? withHashedTypes(recorded, messages) : messages;
  if (purchases === undefined) {
    return { expected, got: { ...got, messages: withComparableTypes(expected.messages, got.messages) } };
  }
  const isOfPurchase = (actor: string): boolean =>
    purchases.some((purchase) => actor === purchase || actor.startsWith(`${purchase}/`));
  const isCompared = ({ actor, on }: Reaction): boolean =>
    !isOfPurchase(actor) && !(actor === 'root/screen' && isActionEvent(on));
  const isComparedMessage = (each: CrossMessage): boolean =>
    !isOfPurchase(each.to) && (!isOfPurchase(each.from) || each.to === 'root/screen') && !isActionEvent(getEventType(each));
  /** Ignores the screen's `action`, which every purchase sets now. */
  const withoutAction = (each: Reaction): Reaction => {
    if (each.actor !== 'root/screen') return each;
    const { action: _, ...changed } = each.changed;
    return { ...each, changed };
  };
  const isRestartNavigation = restartsPurchase(expected) ? isNavigationEvent : () => false;
  const gotReactions = got.reactions
    .filter(({ reaction }) => isCompared(reaction) && !isRestartNavigation(reaction.on))
    .map(({ reaction, before }) => ({ reaction: withoutAction(reaction), before }));
  const gotMessages = got.messages.filter((each) => isComparedMessage(each) && !isRestartNavigation(getEventType(each)));
  const reactions = sortByActor(gotReactions, ({ reaction }) => reaction.actor);
  const messages = sortByActor(gotMessages, toPairKey);
  const expectedReactions = sortByActor(expected.reactions.filter(isCompared).map(withoutAction), ({ actor }) => actor);
  const expectedMessages = sortByActor(
    expected.messages.filter((each) => isComparedMessage(each) && !isRestartNavigation(getEventType(each))),
    toPairKey,
  );
  return {
    expected: {
      reactions: withComparable(expectedReactions, reactions),
      messages: withComparableMessages(expectedMessages, messages),
    },
    got: { reactions, messages: withComparableTypes(expectedMessages, messages) },
  };
};

/**
 * The first actor whose state differs from the expected (`shownStates`), with both; null without a
 * difference.
 */
export const findStateDifference = (
  shownStates: readonly ShownState[],
  actors: ReadonlyMap<string, AnyActor>,
): { expected: Reaction; got?: Reaction } | null => {
  for (const { actor, state, context } of shownStates) {
    const expected = { actor, on: 'shown', state, changed: context };
    const snapshot = actors.get(actor)?.getSnapshot() as AnyMachineSnapshot | undefined;
    if (!snapshot) return { expected };
    const entries = Object.keys(context).map((key) => [key, toPlain((snapshot.context as Record<string, unknown>)[key])]);
    const changed = Object.fromEntries(entries) as Record<string, Plain>;
    const got = { actor, on: 'shown', state: toPlain(snapshot.value), changed };
    const isAlike = isLike(state, got.state) && Object.entries(context).every(([key, value]) => isLike(value, got.changed[key]));
    if (!isAlike) return { expected, got };
  }
  return null;
};
