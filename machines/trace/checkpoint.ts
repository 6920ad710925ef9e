import type { AnyActor, AnyEventObject } from 'xstate';
import type { Checkpoint, PendingTimer, Plain, RecordedEvent } from './format.ts';
import { toPlain, revivePlain, type Redact } from './plain.ts';

type ScheduledEvent = { source: AnyActor; target: AnyActor; event: AnyEventObject; delay: number; id: string };
type Schedule = (source: AnyActor, target: AnyActor, event: AnyEventObject, delay: number, id: string) => void;
type Scheduler = { schedule: Schedule; cancel: (source: AnyActor, id: string) => void };

/** The pending timers of an actor's system. */
export const getScheduled = (actor: AnyActor): ScheduledEvent[] =>
  Object.values(actor.system.getSnapshot()._scheduledEvents as unknown as Record<string, ScheduledEvent>);

export const getScheduler = (actor: AnyActor): Scheduler => actor.system.scheduler as unknown as Scheduler;

/**
 * Marks a generated id of XState. A restored system numbers its actors from 0 again: the mark
 * keeps restored ids distinct.
 */
const toStableId = (id: string): string => id.replace(/^x:(\d+)$/, 'x:c$1');

const withStableIds = (value: Plain): Plain => {
  if (Array.isArray(value)) return value.map(withStableIds);
  if (value === null || typeof value !== 'object') return value;
  const isReference = 'xstate$$type' in value;
  const entries = Object.entries(value).map(([key, part]): [string, Plain] => {
    const copy = withStableIds(part);
    if (key === 'id' && isReference && typeof copy === 'string') return [key, toStableId(copy)];
    if (key !== 'children' || copy === null || typeof copy !== 'object' || Array.isArray(copy)) return [key, copy];
    return [key, Object.fromEntries(Object.entries(copy).map(([id, child]) => [toStableId(id), child]))];
  });
  return Object.fromEntries(entries);
};

/** A snapshot of all actors below an idle root actor, as plain JSON. */
export const createCheckpoint = (root: AnyActor, getName: (actor: AnyActor) => string, redact: Redact): Checkpoint => ({
  snapshot: withStableIds(toPlain(root.getPersistedSnapshot(), redact)),
  timers: getScheduled(root).map(({ source, target, event, delay, id }): PendingTimer => ({
    source: getName(source),
    target: getName(target),
    id,
    ms: delay,
    event: toPlain(event, redact) as RecordedEvent,
  })),
});

/** Schedules a checkpoint's timers on the actors that were restored from it. */
export const setTimers = ({ timers }: Checkpoint, actors: ReadonlyMap<string, AnyActor>): void => {
  for (const { source, target, id, ms, event } of timers) {
    const [from, to] = [actors.get(source), actors.get(target)];
    if (from && to) getScheduler(from).schedule(from, to, revivePlain(event) as AnyEventObject, ms, id);
  }
};
