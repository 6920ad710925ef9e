import type { AnyActorScope, AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { isSameScreen, type Route } from '../../machines/flows/route.ts';
import { routeOf } from '../../machines/flows/routes.ts';

/** What the shop does with a machine whose screen it leaves; around the state in which that was left. */
export const elsewhere = 'elsewhere';

/** What follows at once when a machine tells its parent or a child something: events back, its end, or nothing. */
type Reaction = AnyEventObject | AnyEventObject[] | typeof elsewhere | null;
/**
 * `to` is `parent`, the id of the child that is told, or `new` and the id of one that starts; `because` is the event that
 * led to it. Undefined leaves it to the app's usual answers to a flow.
 */
export type Reacts = (
  fact: AnyEventObject,
  snapshot: AnyMachineSnapshot,
  to: string,
  because: AnyEventObject | null,
) => Reaction | undefined;

export const routeAt = (address: string): Route => routeOf(new URL(address, 'https://shop.example'));

/** How the app answers its flows. */
const appReacts =
  (here: Route) =>
  (fact: AnyEventObject): Reaction => {
    switch (fact.type) {
      case 'go': {
        const route = routeAt(String(fact['to']));
        return isSameScreen(here, route) ? { type: 'route.changed', route } : elsewhere;
      }
      case 'leave':
      case 'signIn.needed':
      case 'session.started':
        return elsewhere;
      default:
        return null;
    }
  };

type Executed = { type: string; params?: { to?: unknown; targetId?: string; id?: string; event?: AnyEventObject } };

/** The machine as it was left: it takes no event any more. */
const left = (snapshot: AnyMachineSnapshot): AnyMachineSnapshot =>
  Object.assign(Object.create(snapshot) as AnyMachineSnapshot, { value: { [elsewhere]: snapshot.value }, status: 'stopped' });

/** Whether the shop has left the machine for another screen. */
export const hasLeft = ({ value }: AnyMachineSnapshot): boolean => typeof value === 'object' && elsewhere in value;

export type InShop = {
  /** The address it runs at. */
  at: string;
  /** Answers that come before the app's own. */
  reacts?: Reacts | undefined;
  /** What is not possible does nothing. */
  isPossible: (snapshot: AnyMachineSnapshot, event: AnyEventObject) => boolean;
};

/**
 * A flow's machine as it runs in the shop: what it tells the app is answered in the same step, so that an exploration
 * only finds ways that a browser can go.
 */
export const inShop = (machine: AnyStateMachine, { at, reacts = () => undefined, isPossible }: InShop): AnyStateMachine => {
  const usual = appReacts(routeAt(at));

  const settle = (
    run: (scope: AnyActorScope) => AnyMachineSnapshot,
    scope: AnyActorScope,
    because: AnyEventObject | null = null,
  ): AnyMachineSnapshot => {
    const told: { to: string; fact: AnyEventObject }[] = [];
    const parent: unknown = scope.self._parent;
    const listening = {
      ...scope,
      actionExecutor: ({ type, params }: Executed) => {
        if (type === 'xstate.spawnChild') told.push({ to: `new ${params?.id ?? ''}`, fact: { type: 'xstate.init' } });
        if (type !== 'xstate.sendTo' || !params?.event) return;
        told.push({ to: params.to === parent ? 'parent' : (params.targetId ?? ''), fact: params.event });
      },
    } as unknown as AnyActorScope;
    let snapshot = run(listening);
    for (const { to, fact } of told) {
      const own = reacts(fact, snapshot, to, because);
      const reaction = own === undefined ? (to === 'parent' ? usual(fact) : null) : own;
      if (reaction === elsewhere) return left(snapshot);
      for (const event of reaction === null ? [] : [reaction].flat()) snapshot = take(snapshot, event, scope);
    }
    // A machine that is done is off the screen.
    return snapshot.status === 'done' ? left(snapshot) : snapshot;
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
