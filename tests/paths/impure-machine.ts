import { createMachine, fromTransition, type AnyStateMachine } from 'xstate';
import type { Cases } from '../../machines/paths/explore.ts';
import { purityOf, type Finding } from '../../machines/paths/purity.ts';

/** What is planted; where `setup()` and the definition are loose, for a typed machine would not take some of the faults. */
export type ImpureParts = {
  actions?: object;
  guards?: object;
  actors?: object;
  delays?: object;
  config?: object;
  cases?: Cases;
  input?: unknown;
};

/** A machine that is pure but for what is planted in it; `go` leads from `idle` to `gone`. */
export const impureMachine = ({ config, ...named }: ImpureParts): AnyStateMachine =>
  createMachine({ id: 'planted', initial: 'idle', states: { idle: { on: { go: 'gone' } }, gone: {} }, ...config } as never, {
    actions: named.actions ?? {},
    guards: named.guards ?? {},
    actors: named.actors ?? {},
    delays: named.delays ?? {},
  }) as unknown as AnyStateMachine;

/** States in which `go` is taken with what is given. */
export const onGo = (transition: object) => ({ states: { idle: { on: { go: { target: 'gone', ...transition } } }, gone: {} } });

export const findingsIn = ({ cases = {}, input, ...machine }: ImpureParts): Finding[] =>
  purityOf(impureMachine(machine), { cases, input });

/** A fault of the planted machine, where it is. */
export const fault = (place: string, what: string): Finding => ({ machine: 'planted', place, fault: what });

/** Logic that does nothing, to be invoked or spawned. */
export const doNothing = fromTransition((state: object) => state, {});
