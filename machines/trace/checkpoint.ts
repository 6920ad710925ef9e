import type { AnyActor, AnyEventObject } from 'xstate';
import type { Checkpoint, PendingTimer, Plain, RecordedEvent } from './format.ts';
import { plainOf, revived, type Redact } from './plain.ts';

type Scheduled = { source: AnyActor; target: AnyActor; event: AnyEventObject; delay: number; id: string };
type Schedule = (source: AnyActor, target: AnyActor, event: AnyEventObject, delay: number, id: string) => void;
type Scheduler = { schedule: Schedule; cancel: (source: AnyActor, id: string) => void };

/** The timers of an actor's system that have not fired. */
export const scheduledIn = (actor: AnyActor): Scheduled[] =>
  Object.values(actor.system.getSnapshot()._scheduledEvents as unknown as Record<string, Scheduled>);

export const schedulerOf = (actor: AnyActor): Scheduler => actor.system.scheduler as unknown as Scheduler;

/** Ids that XState gave are given again by a system that goes on from here: these are set apart. */
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

/** All actors under a root that is at rest, as plain JSON. */
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

/** Sets the timers of a checkpoint on the actors that were restored from it. */
export const setTimers = ({ timers }: Checkpoint, actors: ReadonlyMap<string, AnyActor>): void => {
  for (const { source, target, id, ms, event } of timers) {
    const [from, to] = [actors.get(source), actors.get(target)];
    if (from && to) schedulerOf(from).schedule(from, to, revived(event) as AnyEventObject, ms, id);
  }
};
