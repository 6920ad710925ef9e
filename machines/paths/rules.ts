import type { AnyMachineSnapshot, AnyStateMachine, SnapshotFrom } from 'xstate';
import { problemOf, type Problem } from '../model/problem.ts';
import type { Edge, Memory } from './explore.ts';
import type { Moment } from './stepper.ts';

/** True where a rule holds; else false, or a sentence that says what is wrong. */
export type Verdict = boolean | string;

/** What a rule about the order of things keeps in mind, or why it is broken. */
export type Kept = { memory: unknown } | { broken: string };

/** What must hold in a machine, in the words of somebody who tests by hand. */
export type Rule =
  /** Holds step by step, on every path. */
  | { kind: 'steps'; name: string; start: unknown; next: (memory: unknown, moment: Moment) => Kept }
  /** After `after`, `to` is reached. */
  | { kind: 'leadsTo'; name: string; after: (moment: Moment) => boolean; to: (moment: Moment) => boolean }
  /** Holds of what can happen in each snapshot. */
  | { kind: 'ways'; name: string; check: (snapshot: AnyMachineSnapshot, ways: readonly Edge[]) => Verdict };

const keptOf = (verdict: Verdict, memory: unknown = null): Kept => {
  if (verdict === true) return { memory };
  return { broken: verdict === false ? '' : verdict };
};

/** A moment of one machine: its snapshots are typed. */
export type MomentOf<Machine extends AnyStateMachine> = Omit<Moment, 'snapshot' | 'before'> & {
  snapshot: SnapshotFrom<Machine>;
  before: SnapshotFrom<Machine> | null;
};

type When<Machine extends AnyStateMachine> = (moment: MomentOf<Machine>) => boolean;

/** Writes rules of one machine: `const { invariant, never } = rulesFor<typeof paymentMachine>()`. */
export const rulesFor = <Machine extends AnyStateMachine>() => {
  const typed = (moment: Moment): MomentOf<Machine> => moment as MomentOf<Machine>;

  /** Holds in every snapshot that can be reached. */
  const invariant = (name: string, check: (snapshot: SnapshotFrom<Machine>) => Verdict): Rule =>
    always(name, ({ snapshot }) => check(snapshot));

  /** Holds of every step: of what happened, what was asked of the world, and where it led. */
  const always = (name: string, check: (moment: MomentOf<Machine>) => Verdict): Rule =>
    remembering(name, null, (_, moment) => keptOf(check(moment)));

  /** From the step on in which `after` happens, `what` does not happen, until a step in which `until` does. */
  const never = (
    name: string,
    { after, what, until = () => false }: { after: When<Machine>; what: When<Machine>; until?: When<Machine> },
  ): Rule =>
    remembering(name, false, (isAfter: boolean, moment) => {
      const isForbidden = after(moment) || (isAfter && !until(moment));
      return isForbidden && what(moment) ? { broken: '' } : { memory: isForbidden };
    });

  /** `what` only happens when `cause` has happened before, or in the same step; with `each`, once for each time. */
  const onlyAfter = (
    name: string,
    { cause, what, each = false }: { cause: When<Machine>; what: When<Machine>; each?: boolean },
  ): Rule =>
    remembering(name, false, (wasCaused: boolean, moment) => {
      const isCaused = wasCaused || cause(moment);
      if (!what(moment)) return { memory: isCaused };
      return isCaused ? { memory: !each } : { broken: '' };
    });

  /** A rule that keeps something in mind: plain JSON that takes few values. `next` says what is kept, or that it is broken. */
  const remembering = <Kind>(name: string, start: Kind, next: (memory: Kind, moment: MomentOf<Machine>) => Kept): Rule => ({
    kind: 'steps',
    name,
    start,
    next: (memory, moment) => next(memory as Kind, typed(moment)),
  });

  /**
   * After `after`, `to` is reached whatever the ports answer. Three things are asked of every snapshot in which `to` is still
   * to come: that something goes on in it or somebody can press something; that a way leads from it to `to`; and that answers
   * alone lead round in no circle, for a machine that asks again at once may do so for ever. So it is reached in a world
   * that is fair: where a port that is asked again and again gives each of its answers sometime, time passes, and a
   * customer who is shown a way on takes it. A repetition that waits for time or for a press is no circle.
   * The graph has one snapshot of each kind: a way may lead over the like of a snapshot instead of the snapshot itself.
   */
  const leadsTo = (name: string, { after, to }: { after: When<Machine>; to: When<Machine> }): Rule => ({
    kind: 'leadsTo',
    name,
    after: (moment) => after(typed(moment)),
    to: (moment) => to(typed(moment)),
  });

  return { invariant, always, never, onlyAfter, remembering, leadsTo };
};

/** Whether two values are the same as JSON; the order of keys counts. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What a port answered in this step; undefined where none of these did. */
export const answerOf = <Output>({ event }: Pick<Moment, 'event'>, ...ports: string[]): Output | undefined =>
  ports.some((port) => event.type === `xstate.done.actor.${port}`) ? ((event['output'] ?? null) as Output) : undefined;

/** What a port rejected with in this step; null where none of these did. */
export const failureOf = ({ event }: Pick<Moment, 'event'>, ...ports: string[]): Problem | null =>
  ports.some((port) => event.type === `xstate.error.actor.${port}`) ? problemOf(event['error']) : null;

/** With what input an actor of this id was started in this step; undefined where it was not. */
export const askedOf = <Input>({ effects }: Pick<Moment, 'effects'>, id: string): Input | undefined => {
  const started = effects.find((effect) => effect.kind === 'start' && effect.id === id);
  return started?.kind === 'start' ? ((started.input ?? null) as Input) : undefined;
};

/** The events of this type that were sent in this step, to the machine above or to an actor. */
export const toldOf = ({ effects }: Pick<Moment, 'effects'>, type: string): Readonly<Record<string, unknown>>[] =>
  effects.flatMap((effect) => (effect.kind === 'send' && effect.event.type === type ? [effect.event] : []));

type Written = ({ broken: string } | { memory: unknown } | { pending: boolean } | null)[];

const isBroken = (kept: Written[number]): kept is { broken: string } => kept !== null && 'broken' in kept;

/** What rules keep in mind, all together: a memory for each, and those that are broken stay so. */
export const memoryOf = (rules: readonly Rule[]): Memory => ({
  start: rules.map((rule): Written[number] => {
    if (rule.kind === 'steps') return { memory: rule.start };
    return rule.kind === 'leadsTo' ? { pending: false } : null;
  }),
  next: (memory, moment) =>
    rules.map((rule, at): Written[number] => {
      const kept = (memory as Written)[at] ?? null;
      if (rule.kind === 'ways' || isBroken(kept)) return kept;
      if (rule.kind === 'steps') return rule.next(kept && 'memory' in kept ? kept.memory : null, moment);
      const wasPending = kept !== null && 'pending' in kept && kept.pending;
      return { pending: !rule.to(moment) && (wasPending || rule.after(moment)) };
    }),
});

/** Which rules a memory has found to be broken, by their place, and why. */
export const brokenIn = (memory: unknown): { at: number; says: string }[] =>
  (memory as Written).flatMap((kept, at) => (isBroken(kept) ? [{ at, says: kept.broken }] : []));

/** Whether what a rule waits for is still to come. */
export const isPending = (memory: unknown, at: number): boolean => {
  const kept = (memory as Written)[at] ?? null;
  return kept !== null && 'pending' in kept && kept.pending;
};
