import type { AnyActorScope, AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { isSameScreen, type Route } from '../../machines/flows/route.ts';
import { parseRoute } from '../../machines/flows/routes.ts';

/** The state of a machine whose screen the shop has left; it contains the last state. */
export const ELSEWHERE = 'elsewhere';

/**
 * The immediate reaction to an event for a parent or child: events back, the end of the machine, or
 * none.
 */
type Reaction = AnyEventObject | AnyEventObject[] | typeof ELSEWHERE | null;
/**
 * `to` is `parent`, the id of the child that receives the event, or `new` and the id of a starting
 * one; `because` is the event that caused it. Undefined falls back to the app's usual reaction to a
 * flow.
 */
export type Reacts = (
  fact: AnyEventObject,
  snapshot: AnyMachineSnapshot,
  to: string,
  because: AnyEventObject | null,
) => Reaction | undefined;

export const parseAddress = (address: string): Route => parseRoute(new URL(address, 'https://shop.example'));

/** The app's reactions to events of its flows. */
const createAppReactions =
  (here: Route) =>
  (fact: AnyEventObject): Reaction => {
    switch (fact.type) {
      case 'go': {
        const route = parseAddress(String(fact['to']));
        return isSameScreen(here, route) ? { type: 'route.changed', route } : ELSEWHERE;
      }
      case 'leave':
      case 'signIn.needed':
      case 'session.started':
        return ELSEWHERE;
      default:
        return null;
    }
  };

type ExecutedAction = { type: string; params?: { to?: unknown; targetId?: string; id?: string; event?: AnyEventObject } };

/** The machine after its screen was left: it no longer receives events. */
const toLeftSnapshot = (snapshot: AnyMachineSnapshot): AnyMachineSnapshot =>
  Object.assign(Object.create(snapshot) as AnyMachineSnapshot, { value: { [ELSEWHERE]: snapshot.value }, status: 'stopped' });

/** Whether the shop has left the machine for another screen. */
export const hasLeft = ({ value }: AnyMachineSnapshot): boolean => typeof value === 'object' && ELSEWHERE in value;

export type InShop = {
  /** The address of the machine's screen. */
  at: string;
  /** Reactions that take precedence over the app's own. */
  reacts?: Reacts | undefined;
  /** Impossible events have no effect. */
  isPossible: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
};

/**
 * A flow's machine as it runs in the shop: its events to the app are answered in the same step, so
 * that an exploration finds only paths that are possible in a browser.
 */
export const withShopReactions = (
  machine: AnyStateMachine,
  { at, reacts = () => undefined, isPossible }: InShop,
): AnyStateMachine => {
  const usual = createAppReactions(parseAddress(at));

  const settle = (
    run: (scope: AnyActorScope) => AnyMachineSnapshot,
    scope: AnyActorScope,
    because: AnyEventObject | null = null,
  ): AnyMachineSnapshot => {
    const told: { to: string; fact: AnyEventObject }[] = [];
    const parent: unknown = scope.self._parent;
    const listening = {
      ...scope,
      actionExecutor: ({ type, params }: ExecutedAction) => {
        if (type === 'xstate.spawnChild') told.push({ to: `new ${params?.id ?? ''}`, fact: { type: 'xstate.init' } });
        if (type !== 'xstate.sendTo' || !params?.event) return;
        told.push({ to: params.to === parent ? 'parent' : (params.targetId ?? ''), fact: params.event });
      },
    } as unknown as AnyActorScope;
    let snapshot = run(listening);
    for (const { to, fact } of told) {
      const own = reacts(fact, snapshot, to, because);
      const reaction = own === undefined ? (to === 'parent' ? usual(fact) : null) : own;
      if (reaction === ELSEWHERE) return toLeftSnapshot(snapshot);
      for (const event of reaction === null ? [] : [reaction].flat()) snapshot = take(snapshot, event, scope);
    }
    // The screen of a final machine is gone.
    return snapshot.status === 'done' ? toLeftSnapshot(snapshot) : snapshot;
  };
  const take = (snapshot: AnyMachineSnapshot, event: AnyEventObject, scope: AnyActorScope): AnyMachineSnapshot =>
    settle((listening) => machine.transition(snapshot, event, listening), scope, event);

  return Object.assign(Object.create(machine) as AnyStateMachine, {
    transition: (snapshot: AnyMachineSnapshot, event: AnyEventObject, scope: AnyActorScope) =>
      isPossible(snapshot, event) ? take(snapshot, event, scope) : snapshot,
    getInitialSnapshot: (scope: AnyActorScope, input: unknown) =>
      settle((listening) => machine.getInitialSnapshot(listening, input as undefined), scope),
  });
};
