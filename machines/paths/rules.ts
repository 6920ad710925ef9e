import type { AnyMachineSnapshot, AnyStateMachine, SnapshotFrom } from 'xstate';
import { toProblem, type Problem } from '../model/problem.ts';
import type { Edge, Memory } from './explore.ts';
import type { Moment } from './stepper.ts';

/** True if a rule holds; else false, or a message about the violation. */
export type Verdict = boolean | string;

/** The new memory of a rule about the order of events, or a message about its violation. */
export type RuleResult = { memory: unknown } | { broken: string };

/** A rule that must hold in a machine, worded for manual testers. */
export type Rule =
  /** Must hold for each step, on every path. */
  | { kind: 'steps'; name: string; start: unknown; next: (memory: unknown, moment: Moment) => RuleResult }
  /** After a moment for which `after` is true, one for which `to` is true is always reached. */
  | { kind: 'leadsTo'; name: string; after: (moment: Moment) => boolean; to: (moment: Moment) => boolean }
  /** Must hold for the possible steps of each snapshot. */
  | { kind: 'ways'; name: string; check: (snapshot: AnyMachineSnapshot, edges: readonly Edge[]) => Verdict };

const toRuleResult = (verdict: Verdict, memory: unknown = null): RuleResult => {
  if (verdict === true) return { memory };
  return { broken: verdict === false ? '' : verdict };
};

/** A moment of one machine, with typed snapshots. */
export type MomentOf<Machine extends AnyStateMachine> = Omit<Moment, 'snapshot' | 'before'> & {
  snapshot: SnapshotFrom<Machine>;
  before: SnapshotFrom<Machine> | null;
};

type MomentFilter<Machine extends AnyStateMachine> = (moment: MomentOf<Machine>) => boolean;

/**
 * Creates rules of one machine: `const { invariant, never } = rulesFor<typeof paymentMachine>()`.
 */
export const rulesFor = <Machine extends AnyStateMachine>() => {
  const toTypedMoment = (moment: Moment): MomentOf<Machine> => moment as MomentOf<Machine>;

  /** Must hold in every reachable snapshot. */
  const invariant = (name: string, check: (snapshot: SnapshotFrom<Machine>) => Verdict): Rule =>
    always(name, ({ snapshot }) => check(snapshot));

  /** Must hold for every step: for its event, its effects, and its result. */
  const always = (name: string, check: (moment: MomentOf<Machine>) => Verdict): Rule =>
    remembering(name, null, (_, moment) => toRuleResult(check(moment)));

  /**
   * From the step in which `after` holds, `what` must not happen, until a step in which `until`
   * holds.
   */
  const never = (
    name: string,
    {
      after,
      what,
      until = () => false,
    }: { after: MomentFilter<Machine>; what: MomentFilter<Machine>; until?: MomentFilter<Machine> },
  ): Rule =>
    remembering(name, false, (isAfter: boolean, moment) => {
      const isForbidden = after(moment) || (isAfter && !until(moment));
      return isForbidden && what(moment) ? { broken: '' } : { memory: isForbidden };
    });

  /**
   * `what` may only happen if `cause` has happened before, or in the same step; with `each`, once
   * per cause.
   */
  const onlyAfter = (
    name: string,
    { cause, what, each = false }: { cause: MomentFilter<Machine>; what: MomentFilter<Machine>; each?: boolean },
  ): Rule =>
    remembering(name, false, (wasCaused: boolean, moment) => {
      const isCaused = wasCaused || cause(moment);
      if (!what(moment)) return { memory: isCaused };
      return isCaused ? { memory: !each } : { broken: '' };
    });

  /**
   * A rule with a memory: plain JSON with few distinct values. `next` returns the new memory, or
   * the violation.
   */
  const remembering = <Kind>(name: string, start: Kind, next: (memory: Kind, moment: MomentOf<Machine>) => RuleResult): Rule => ({
    kind: 'steps',
    name,
    start,
    next: (memory, moment) => next(memory as Kind, toTypedMoment(moment)),
  });

  /**
   * After `after`, `to` is reached for all possible answers of the ports. Checked for every
   * snapshot in which `to` is pending: something is in progress or a press is possible; a path
   * leads from it to `to`; and answers alone form no cycle, since a machine that retries at once
   * may do so forever. A repetition that waits for a timer or a press is not a cycle. This proves
   * that `to` is reached under fairness: a repeated request eventually gets each of its answers,
   * time passes, and a customer eventually presses what is offered. The graph has one snapshot of
   * each kind, so a path may use another snapshot of the same kind.
   */
  const leadsTo = (name: string, { after, to }: { after: MomentFilter<Machine>; to: MomentFilter<Machine> }): Rule => ({
    kind: 'leadsTo',
    name,
    after: (moment) => after(toTypedMoment(moment)),
    to: (moment) => to(toTypedMoment(moment)),
  });

  return { invariant, always, never, onlyAfter, remembering, leadsTo };
};

/** The output of one of these ports in this step; undefined if none of them is done. */
export const getPortOutput = <Output>({ event }: Pick<Moment, 'event'>, ...ports: string[]): Output | undefined =>
  ports.some((port) => event.type === `xstate.done.actor.${port}`) ? ((event['output'] ?? null) as Output) : undefined;

/** The rejection of one of these ports in this step; null if none of them rejects. */
export const getPortProblem = ({ event }: Pick<Moment, 'event'>, ...ports: string[]): Problem | null =>
  ports.some((port) => event.type === `xstate.error.actor.${port}`) ? toProblem(event['error']) : null;

/** The input of the actor with this id if it was started in this step; else undefined. */
export const getPortInput = <Input>({ effects }: Pick<Moment, 'effects'>, id: string): Input | undefined => {
  const startEffect = effects.find((effect) => effect.kind === 'start' && effect.id === id);
  return startEffect?.kind === 'start' ? ((startEffect.input ?? null) as Input) : undefined;
};

/** The events of this type that were sent in this step, to the parent machine or to an actor. */
export const getSentEvents = ({ effects }: Pick<Moment, 'effects'>, type: string): Readonly<Record<string, unknown>>[] =>
  effects.flatMap((effect) => (effect.kind === 'send' && effect.event.type === type ? [effect.event] : []));

type RuleMemories = ({ broken: string } | { memory: unknown } | { pending: boolean } | null)[];

const isBroken = (memory: RuleMemories[number]): memory is { broken: string } => memory !== null && 'broken' in memory;

/** Combines the memories of all rules into one; a violated rule stays violated. */
export const createMemory = (rules: readonly Rule[]): Memory => ({
  start: rules.map((rule): RuleMemories[number] => {
    if (rule.kind === 'steps') return { memory: rule.start };
    return rule.kind === 'leadsTo' ? { pending: false } : null;
  }),
  next: (memory, moment) =>
    rules.map((rule, index): RuleMemories[number] => {
      const ruleMemory = (memory as RuleMemories)[index] ?? null;
      if (rule.kind === 'ways' || isBroken(ruleMemory)) return ruleMemory;
      if (rule.kind === 'steps') return rule.next(ruleMemory && 'memory' in ruleMemory ? ruleMemory.memory : null, moment);
      const wasPending = ruleMemory !== null && 'pending' in ruleMemory && ruleMemory.pending;
      return { pending: !rule.to(moment) && (wasPending || rule.after(moment)) };
    }),
});

/** The violated rules in a memory, by their index, each with a message. */
export const getViolations = (memory: unknown): { at: number; message: string }[] =>
  (memory as RuleMemories).flatMap((ruleMemory, at) => (isBroken(ruleMemory) ? [{ at, message: ruleMemory.broken }] : []));

/** Whether the `leadsTo` rule with this index has not yet reached its `to`. */
export const isPending = (memory: unknown, ruleIndex: number): boolean => {
  const ruleMemory = (memory as RuleMemories)[ruleIndex] ?? null;
  return ruleMemory !== null && 'pending' in ruleMemory && ruleMemory.pending;
};
