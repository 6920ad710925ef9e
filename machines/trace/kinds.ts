import type { AnyActor, AnyActorLogic, AnyStateMachine } from 'xstate';

/** What a piece of actor logic is to a trace: machines and pure logic are run again, the others are effects. */
export type LogicKind = 'machine' | 'pure' | 'promise' | 'callback' | 'observable';

const effects: readonly unknown[] = ['promise', 'callback', 'observable'];

export const isMachine = (logic: AnyActorLogic): logic is AnyStateMachine => 'getStateNodeById' in logic;

/** Effects carry their kind as a tag from where they are created; what has none and is no machine is pure. */
export const kindOf = (logic: AnyActorLogic): LogicKind => {
  if (isMachine(logic)) return 'machine';
  const { kind } = logic as { kind?: LogicKind };
  return effects.includes(kind) && kind !== undefined ? kind : 'pure';
};

export const kindOfActor = (actor: AnyActor): LogicKind => kindOf(actor.logic as AnyActorLogic);

/** A part of the world that runs: a replay does not run it again. */
export const isEffect = (actor: AnyActor): boolean => effects.includes(kindOfActor(actor));

export const isActive = (actor: AnyActor): boolean => (actor.getSnapshot() as { status: string }).status === 'active';

/** XState gave the id, in this run or, marked by a `c`, in the run before. */
export const isAnonymous = ({ id }: AnyActor): boolean => /^x:c?\d+$/.test(id);
