import type { AnyStateMachine, AnyStateNode } from 'xstate';

type InvokedActor = { id: string; src: unknown };
type Logic = { kind?: string; openEnded?: boolean; rejects?: boolean; getStateNodeById?: unknown };

/** The logic of an invoked actor: a port or a machine, by its name among the machine's actors. */
const getLogic = ({ machine }: AnyStateNode, { src }: InvokedActor): Logic | undefined =>
  (machine.implementations.actors as Record<string, Logic>)[String(src)];

const getInvokedActors = (node: AnyStateNode): readonly InvokedActor[] => node.invoke as readonly InvokedActor[];

const handlesEnd = (node: AnyStateNode, outcome: 'done' | 'error', { id }: InvokedActor): boolean =>
  node.transitions.has(`xstate.${outcome}.actor.${id}`);

const isMachine = (logic: Logic | undefined): logic is Logic & AnyStateMachine =>
  logic !== undefined && 'getStateNodeById' in logic;

/**
 * Activities of a snapshot's active states that end by themselves: requests, which have a request
 * timeout (`requestPort` in `machines/ports.ts`), timers, and child machines that a state awaits.
 * Not included: channels and ports that are `openEnded`, which may never answer, and machines
 * invoked by the root, which end only when they are stopped.
 */
export const getPendingActivities = ({ _nodes }: { _nodes: readonly AnyStateNode[] }): string[] =>
  _nodes.flatMap((node) => [
    ...node.after.map(({ delay }) => `after ${String(delay)}`),
    ...getInvokedActors(node).flatMap((invoked) => {
      const logic = getLogic(node, invoked);
      const isBounded =
        (isMachine(logic) && node.parent !== undefined) || (logic?.kind === 'promise' && logic.openEnded !== true);
      return isBounded && handlesEnd(node, 'done', invoked) ? [invoked.id] : [];
    }),
  ]);

/** Whether a state waits for a request's answer. */
export const awaitsPromise = (node: AnyStateNode): boolean =>
  getInvokedActors(node).some((invoked) => getLogic(node, invoked)?.kind === 'promise');

/**
 * Invoked requests that can reject but have no `onError`, so that a rejection would stop their
 * machine. Safe ports and channels never reject (`machines/ports.ts`). Child machines are not
 * included: they only reject by such a request of their own, which is checked separately, or by an
 * exception.
 */
export const findUncaughtRequests = (nodes: readonly AnyStateNode[]): string[] =>
  nodes.flatMap((node) =>
    getInvokedActors(node)
      .filter((invoked) => {
        const logic = getLogic(node, invoked);
        const cannotReject = isMachine(logic) || logic?.kind === 'callback' || logic?.rejects === false;
        return !cannotReject && !handlesEnd(node, 'error', invoked);
      })
      .map(({ id }) => `${node.id} ${id}`),
  );
