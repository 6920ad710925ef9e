import type { AnyActor, AnyActorLogic, AnyStateMachine } from 'xstate';

/**
 * The kinds of actor logic. A replay executes machines and pure logic; the other kinds are effects,
 * which it replaces by stubs.
 */
export type LogicKind = 'machine' | 'pure' | 'promise' | 'callback' | 'observable';

const effectKinds: readonly unknown[] = ['promise', 'callback', 'observable'];

export const isMachine = (logic: AnyActorLogic): logic is AnyStateMachine => 'getStateNodeById' in logic;

/**
 * The kind of an actor logic. Effects are tagged with their kind when they are created; logic that
 * has no tag and is not a machine is pure.
 */
export const getLogicKind = (logic: AnyActorLogic): LogicKind => {
  if (isMachine(logic)) return 'machine';
  const { kind } = logic as { kind?: LogicKind };
  return effectKinds.includes(kind) && kind !== undefined ? kind : 'pure';
};

export const getActorKind = (actor: AnyActor): LogicKind => getLogicKind(actor.logic as AnyActorLogic);

/** Whether an actor has side effects outside the machines: a replay does not execute it. */
export const isEffect = (actor: AnyActor): boolean => effectKinds.includes(getActorKind(actor));

/**
 * Whether XState generated the actor's id, in this run or (marked by a `c`) in the previous run.
 */
export const isAnonymous = ({ id }: AnyActor): boolean => /^x:c?\d+$/.test(id);
