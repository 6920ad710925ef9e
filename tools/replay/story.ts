import type { AnyMachineSnapshot, AnyStateNode, Snapshot } from 'xstate';
import type { Input } from '../../machines/trace/format.ts';
import type { Position } from '../../machines/trace/player.ts';
import { models } from '../../tests/support/models.ts';
import type { AnyDescription } from '../../tests/support/description.ts';

/** What a record itself holds under a key; a key out of a file may be one that every object inherits. */
export const ownProperty = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined;

const descriptionOf: ReadonlyMap<string, AnyDescription> = new Map(
  models.map(({ machine, description }) => [machine.id, description]),
);

/** Machines without a screen, whose doings are seen in the others, and the categories, whose place many pages hide. */
const unseen: ReadonlySet<string> = new Set(['location', 'session', 'language', 'progress', 'categories']);

type Actors = Readonly<Record<string, Snapshot<unknown>>>;

/** The snapshot of an actor that is a machine; null for effects and for what is not there. */
export const machineIn = (actors: Actors, name: string): AnyMachineSnapshot | null => {
  const snapshot = ownProperty(actors, name);
  // A damaged checkpoint may hold anything.
  return typeof snapshot === 'object' && snapshot !== null && 'machine' in snapshot ? (snapshot as AnyMachineSnapshot) : null;
};

const isSeen = (snapshot: AnyMachineSnapshot | null): snapshot is AnyMachineSnapshot =>
  snapshot?.status === 'active' && !unseen.has(snapshot.machine.id);

const innerScreens = (actors: Actors, name: string): string[] =>
  Object.keys(actors).filter((other) => other.slice(0, other.lastIndexOf('/')) === name && isSeen(machineIn(actors, other)));

const ownScreen = ({ machine, _nodes }: AnyMachineSnapshot): string[] =>
  (_nodes as AnyStateNode[])
    .filter(({ type }) => type === 'atomic' || type === 'final')
    .toSorted((one, other) => one.order - other.order)
    .map(({ id }) => ownProperty(descriptionOf.get(machine.id)?.states, id) ?? id);

/** What the customer saw, a sentence for each part of the screen: the descriptions of the innermost machines that have one. */
export const sawIn = (actors: Actors, name = 'root'): string[] => {
  const inner = innerScreens(actors, name).flatMap((each) => sawIn(actors, each));
  const snapshot = machineIn(actors, name);
  return inner.length > 0 || !snapshot ? inner : ownScreen(snapshot);
};

/** The id that a machine gave to an actor. */
const idOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1).replace(/~\d+$/, '');

const seconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

const answered = (
  description: AnyDescription | undefined,
  { from, event }: Extract<Input, { kind: 'settled' }>,
): string | null => {
  const asked = ownProperty(description?.asks, idOf(from));
  if (asked === undefined) return ownProperty(description?.happens, event.type) ?? null;
  return 'error' in event ? `The server does not give ${asked}` : `The server gives ${asked}`;
};

/** Whose doing a step was. */
export type Doer = 'customer' | 'server' | 'clock' | 'shop';

/** What happened in a step, as text; null where no description has one. */
export const deedIn = ({ recorded: { input }, moment }: Position, isResumed: boolean): { by: Doer; does: string } | null => {
  if (input.kind === 'start') return { by: 'shop', does: isResumed ? 'The record goes on' : 'The page loads' };
  if (input.kind === 'timer') return { by: 'clock', does: `${seconds(input.ms)} have passed` };
  const description = descriptionOf.get(machineIn(moment.actors, input.to)?.machine.id ?? '');
  if (input.kind === 'settled') {
    const does = answered(description, input);
    return does === null
      ? null
      : { by: ownProperty(description?.asks, idOf(input.from)) === undefined ? 'shop' : 'server', does };
  }
  const press = ownProperty(description?.presses, input.event.type);
  if (press !== undefined) return { by: 'customer', does: press };
  const news = ownProperty(description?.happens, input.event.type);
  return news === undefined ? null : { by: 'shop', does: news };
};
