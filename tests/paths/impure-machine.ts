import { createMachine, fromTransition, type AnyStateMachine } from 'xstate';
import type { Cases } from '../../machines/paths/explore.ts';
import { checkPurity, type PurityFault } from '../../machines/paths/purity.ts';

/**
 * The planted code; the implementations and the definition are untyped, since a typed machine would
 * refuse some faults.
 */
export type ImpureOptions = {
  actions?: object;
  guards?: object;
  actors?: object;
  delays?: object;
  config?: object;
  cases?: Cases;
  input?: unknown;
};

/** A machine that is pure except for the planted code; `go` leads from `idle` to `gone`. */
export const createImpureMachine = ({ config, ...implementations }: ImpureOptions): AnyStateMachine =>
  createMachine({ id: 'planted', initial: 'idle', states: { idle: { on: { go: 'gone' } }, gone: {} }, ...config } as never, {
    actions: implementations.actions ?? {},
    guards: implementations.guards ?? {},
    actors: implementations.actors ?? {},
    delays: implementations.delays ?? {},
  }) as unknown as AnyStateMachine;

/** A definition's states, with this transition on the event `go`. */
export const makeGoConfig = (transition: object) => ({
  states: { idle: { on: { go: { target: 'gone', ...transition } } }, gone: {} },
});

export const findImpurities = ({ cases = {}, input, ...machine }: ImpureOptions): PurityFault[] =>
  checkPurity(createImpureMachine(machine), { cases, input });

/** A fault of the planted machine, with its place. */
export const makeFinding = (place: string, fault: string): PurityFault => ({ machine: 'planted', place, fault });

/** Logic that does nothing, to be invoked or spawned. */
export const noopActor = fromTransition((state: object) => state, {});
