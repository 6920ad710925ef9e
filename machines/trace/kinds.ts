import type { AnyActor, AnyActorLogic, AnyStateMachine } from 'xstate';

/**
 * How a trace treats actor logic: machines and pure logic are executed again, the others are
 * effects.
 */
export type LogicKind = 'machine' | 'pure' | 'promise' | 'callback' | 'observable';

const effectKinds: readonly unknown[] = ['promise', 'callback', 'observable'];

export const isMachine = (logic: AnyActorLogic): logic is AnyStateMachine => 'getStateNodeById' in logic;

/**
 * Effects are tagged with their kind when they are created; logic without a tag that is not a
 * machine is pure.
 */
export const getLogicKind = (logic: AnyActorLogic): LogicKind => {
  if (isMachine(logic)) return 'machine';
  const { kind } = logic as { kind?: LogicKind };
  return effectKinds.includes(kind) && kind !== undefined ? kind : 'pure';
};

export const getActorKind = (actor: AnyActor): LogicKind => getLogicKind(actor.logic as AnyActorLogic);

/** An effect with side effects outside the machines: a replay does not execute it again. */
export const isEffect = (actor: AnyActor): boolean => effectKinds.includes(getActorKind(actor));

export const isActive = (actor: AnyActor): boolean => (actor.getSnapshot() as { status: string }).status === 'active';

/** XState generated the id, in this run or (marked by a `c`) in the run before. */
export const isAnonymous = ({ id }: AnyActor): boolean => /^x:c?\d+$/.test(id);
