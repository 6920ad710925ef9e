import type { AnyStateMachine, AnyStateNode } from 'xstate';

type Invoked = { id: string; src: unknown };
type Logic = { kind?: string; openEnded?: boolean; rejects?: boolean; getStateNodeById?: unknown };

/** What a machine has invoked: a port or a machine, by its name among the machine's actors. */
const logicOf = ({ machine }: AnyStateNode, { src }: Invoked): Logic | undefined =>
  (machine.implementations.actors as Record<string, Logic>)[String(src)];

const invokedBy = (node: AnyStateNode): readonly Invoked[] => node.invoke as readonly Invoked[];

const takes = (node: AnyStateNode, ending: 'done' | 'error', { id }: Invoked): boolean =>
  node.transitions.has(`xstate.${ending}.actor.${id}`);

const isMachine = (logic: Logic | undefined): logic is Logic & AnyStateMachine =>
  logic !== undefined && 'getStateNodeById' in logic;

/**
 * What moves on by itself in the active states of a snapshot, or in some of them: requests, each of which has a limit (`requestPort` in `machines/ports.ts`), timers, and
 * machines whose end a state awaits. Channels and ports that are `openEnded` may be silent for ever, and a machine that runs
 * beside all states ends when it is told to.
 */
export const underWay = ({ _nodes }: { _nodes: readonly AnyStateNode[] }): string[] =>
  _nodes.flatMap((node) => [
    ...node.after.map(({ delay }) => `after ${String(delay)}`),
    ...invokedBy(node).flatMap((invoked) => {
      const logic = logicOf(node, invoked);
      const isBounded =
        (isMachine(logic) && node.parent !== undefined) || (logic?.kind === 'promise' && logic.openEnded !== true);
      return isBounded && takes(node, 'done', invoked) ? [invoked.id] : [];
    }),
  ]);

/** Whether a state asks something: it waits for a request's answer. */
export const isAsking = (node: AnyStateNode): boolean =>
  invokedBy(node).some((invoked) => logicOf(node, invoked)?.kind === 'promise');

/**
 * Invokes that would end their machine if they rejected: requests that may, without `onError`. Safe ports and channels never reject
 * (`machines/ports.ts`). A machine rejects when it throws, or when one of its own invokes does: it is asked in its turn.
 */
export const uncaughtIn = (nodes: readonly AnyStateNode[]): string[] =>
  nodes.flatMap((node) =>
    invokedBy(node)
      .filter((invoked) => {
        const logic = logicOf(node, invoked);
        const cannotReject = isMachine(logic) || logic?.kind === 'callback' || logic?.rejects === false;
        return !cannotReject && !takes(node, 'error', invoked);
      })
      .map(({ id }) => `${node.id} ${id}`),
  );
