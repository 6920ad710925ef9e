import type { Input } from '../../machines/trace/format.ts';
import type { Position } from '../../machines/trace/player.ts';
import type { AnyDescription } from '../../machines/path-models/description.ts';
import { resolveDescription, descriptionByMachine, getOwnProperty } from './descriptions.ts';
import { getMachineSnapshot } from './screen.ts';

/** The id of an actor within its machine, from the actor's full name. */
export const getActorId = (name: string): string => name.slice(name.lastIndexOf('/') + 1).replace(/~\d+$/, '');

const formatSeconds = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`);

const describeResponse = (
  description: AnyDescription | undefined,
  { from, event }: Extract<Input, { kind: 'settled' }>,
): string | null => {
  const requestedData = getOwnProperty(description?.asks, getActorId(from));
  if (requestedData === undefined) return getOwnProperty(description?.happens, event.type) ?? null;
  return 'error' in event ? `The server does not give ${requestedData}` : `The server gives ${requestedData}`;
};

/** The cause of a step. */
export type StepCause = 'customer' | 'server' | 'clock' | 'shop';

/** Describes a step in words; null if no description covers it. */
export const describeEvent = (
  { recorded: { input }, moment }: Position,
  isResumed: boolean,
): { by: StepCause; does: string } | null => {
  if (input.kind === 'start') return { by: 'shop', does: isResumed ? 'The record goes on' : 'The page loads' };
  if (input.kind === 'timer') return { by: 'clock', does: `${formatSeconds(input.ms)} have passed` };
  const snapshot = getMachineSnapshot(moment.actors, input.to);
  const description = descriptionByMachine.get(snapshot?.machine.id ?? '');
  if (input.kind === 'settled') {
    const does = describeResponse(description, input);
    return does === null
      ? null
      : { by: getOwnProperty(description?.asks, getActorId(input.from)) === undefined ? 'shop' : 'server', does };
  }
  const press = snapshot && resolveDescription(getOwnProperty(description?.presses, input.event.type), snapshot);
  if (press) return { by: 'customer', does: press };
  const happening = getOwnProperty(description?.happens, input.event.type);
  return happening === undefined ? null : { by: 'shop', does: happening };
};
