import type { Input } from '../../machines/trace/format.ts';
import type { Position } from '../../machines/trace/player.ts';
import type { AnyDescription } from '../../machines/path-models/description.ts';
import { describedAs, descriptionOf, ownProperty } from './descriptions.ts';
import { machineIn } from './screen.ts';

/** The id that a machine gave to an actor. */
export const idOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1).replace(/~\d+$/, '');

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
  const snapshot = machineIn(moment.actors, input.to);
  const description = descriptionOf.get(snapshot?.machine.id ?? '');
  if (input.kind === 'settled') {
    const does = answered(description, input);
    return does === null
      ? null
      : { by: ownProperty(description?.asks, idOf(input.from)) === undefined ? 'shop' : 'server', does };
  }
  const press = snapshot && describedAs(ownProperty(description?.presses, input.event.type), snapshot);
  if (press) return { by: 'customer', does: press };
  const news = ownProperty(description?.happens, input.event.type);
  return news === undefined ? null : { by: 'shop', does: news };
};
