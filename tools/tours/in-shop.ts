import type { AnyActorScope, AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { isSameScreen, type Route } from '../../machines/flows/route.ts';
import { parseRoute } from '../../machines/flows/routes.ts';

/** The state of a machine whose screen the shop has left; its value is the machine's last state. */
export const ELSEWHERE = 'elsewhere';

/**
 * The immediate reaction to an event that a machine sends to its parent or a child: events sent
 * back, leaving the machine's screen (`ELSEWHERE`), or null for no reaction.
 */
type Reaction = AnyEventObject | AnyEventObject[] | typeof ELSEWHERE | null;
/**
 * Returns the reaction to the event `fact`, or undefined for the app's usual reaction to a flow.
 * `target` is `parent`, the id of the child that receives the event, or `new` and the id of a child
 * that starts. `cause` is the event that made the machine send `fact`, or null at the start.
 */
export type GetReaction = (
  fact: AnyEventObject,
  snapshot: AnyMachineSnapshot,
  target: string,
  cause: AnyEventObject | null,
) => Reaction | undefined;

export const parseAddress = (address: string): Route => parseRoute(new URL(address, 'https://shop.example'));

/** Creates the app's reactions to events of a flow whose screen has the route `currentRoute`. */
const createAppReactions =
  (currentRoute: Route) =>
  (fact: AnyEventObject): Reaction => {
    switch (fact.type) {
      case 'go': {
        const route = parseAddress(String(fact['to']));
        return isSameScreen(currentRoute, route) ? { type: 'route.changed', route } : ELSEWHERE;
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

/** Returns the snapshot after the machine's screen was left: it no longer receives events. */
const toLeftSnapshot = (snapshot: AnyMachineSnapshot): AnyMachineSnapshot =>
  Object.assign(Object.create(snapshot) as AnyMachineSnapshot, { value: { [ELSEWHERE]: snapshot.value }, status: 'stopped' });

/** Whether the shop has left the machine for another screen. */
export const hasLeft = ({ value }: AnyMachineSnapshot): boolean => typeof value === 'object' && ELSEWHERE in value;

export type ReactionOptions = {
  /** The path of the machine's screen. */
  screenPath: string;
  /** Reactions that take precedence over the app's own. */
  getReaction?: GetReaction | undefined;
  /** Whether an event can occur in the shop; other events have no effect. */
  isPossible: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
};

/**
 * Returns a flow's machine as it runs in the shop: its events to the app get their reactions in the
 * same step, so that an exploration finds only paths that are possible in a browser.
 */
export const withShopReactions = (
  machine: AnyStateMachine,
  { screenPath, getReaction = () => undefined, isPossible }: ReactionOptions,
): AnyStateMachine => {
  const getAppReaction = createAppReactions(parseAddress(screenPath));

  const runWithReactions = (
    run: (scope: AnyActorScope) => AnyMachineSnapshot,
    scope: AnyActorScope,
    cause: AnyEventObject | null = null,
  ): AnyMachineSnapshot => {
    const sentEvents: { target: string; fact: AnyEventObject }[] = [];
    const parent: unknown = scope.self._parent;
    const recordingScope = {
      ...scope,
      actionExecutor: ({ type, params }: ExecutedAction) => {
        if (type === 'xstate.spawnChild') sentEvents.push({ target: `new ${params?.id ?? ''}`, fact: { type: 'xstate.init' } });
        if (type !== 'xstate.sendTo' || !params?.event) return;
        sentEvents.push({ target: params.to === parent ? 'parent' : (params.targetId ?? ''), fact: params.event });
      },
    } as unknown as AnyActorScope;
    let snapshot = run(recordingScope);
    for (const { target, fact } of sentEvents) {
      const ownReaction = getReaction(fact, snapshot, target, cause);
      const reaction = ownReaction === undefined ? (target === 'parent' ? getAppReaction(fact) : null) : ownReaction;
      if (reaction === ELSEWHERE) return toLeftSnapshot(snapshot);
      for (const event of reaction === null ? [] : [reaction].flat()) snapshot = applyEvent(snapshot, event, scope);
    }
    // The screen of a final machine is gone.
    return snapshot.status === 'done' ? toLeftSnapshot(snapshot) : snapshot;
  };
  const applyEvent = (snapshot: AnyMachineSnapshot, event: AnyEventObject, scope: AnyActorScope): AnyMachineSnapshot =>
    runWithReactions((recordingScope) => machine.transition(snapshot, event, recordingScope), scope, event);

  return Object.assign(Object.create(machine) as AnyStateMachine, {
    transition: (snapshot: AnyMachineSnapshot, event: AnyEventObject, scope: AnyActorScope) =>
      isPossible(snapshot, event) ? applyEvent(snapshot, event, scope) : snapshot,
    getInitialSnapshot: (scope: AnyActorScope, input: unknown) =>
      runWithReactions((recordingScope) => machine.getInitialSnapshot(recordingScope, input as undefined), scope),
  });
};
