import type { AnyActor, AnyEventObject } from 'xstate';
import type { Checkpoint, PendingTimer, Plain, RecordedEvent } from './format.ts';
import { plainOf, revived, type Redact } from './plain.ts';

type ScheduledEvent = { source: AnyActor; target: AnyActor; event: AnyEventObject; delay: number; id: string };
type Schedule = (source: AnyActor, target: AnyActor, event: AnyEventObject, delay: number, id: string) => void;
type Scheduler = { schedule: Schedule; cancel: (source: AnyActor, id: string) => void };

/** The pending timers of an actor's system. */
export const scheduledIn = (actor: AnyActor): ScheduledEvent[] =>
  Object.values(actor.system.getSnapshot()._scheduledEvents as unknown as Record<string, ScheduledEvent>);

export const schedulerOf = (actor: AnyActor): Scheduler => actor.system.scheduler as unknown as Scheduler;

/**
 * A restored system numbers its own actors from 0 again: the prefix keeps restored ids distinct.
 */
const keptId = (id: string): string => id.replace(/^x:(\d+)$/, 'x:c$1');

const withKeptIds = (value: Plain): Plain => {
  if (Array.isArray(value)) return value.map(withKeptIds);
  if (value === null || typeof value !== 'object') return value;
  const isReference = 'xstate$$type' in value;
  const entries = Object.entries(value).map(([key, part]): [string, Plain] => {
    const copy = withKeptIds(part);
    if (key === 'id' && isReference && typeof copy === 'string') return [key, keptId(copy)];
    if (key !== 'children' || copy === null || typeof copy !== 'object' || Array.isArray(copy)) return [key, copy];
    return [key, Object.fromEntries(Object.entries(copy).map(([id, child]) => [keptId(id), child]))];
  });
  return Object.fromEntries(entries);
};

/** A snapshot of all actors under an idle root, as plain JSON. */
export const checkpointOf = (root: AnyActor, nameOf: (actor: AnyActor) => string, redact: Redact): Checkpoint => ({
  snapshot: withKeptIds(plainOf(root.getPersistedSnapshot(), redact)),
  timers: scheduledIn(root).map(({ source, target, event, delay, id }): PendingTimer => ({
    source: nameOf(source),
    target: nameOf(target),
    id,
    ms: delay,
    event: plainOf(event, redact) as RecordedEvent,
  })),
});

/** Schedules a checkpoint's timers on the actors that were restored from it. */
export const setTimers = ({ timers }: Checkpoint, actors: ReadonlyMap<string, AnyActor>): void => {
  for (const { source, target, id, ms, event } of timers) {
    const [from, to] = [actors.get(source), actors.get(target)];
    if (from && to) schedulerOf(from).schedule(from, to, revived(event) as AnyEventObject, ms, id);
  }
};
