import type { AnyActorScope, AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { isSameScreen, type Route } from '../../../machines/model/route.ts';
import { routeOf } from '../../../src/routes.ts';

/** The state of a machine that the shop has left for another screen. */
export const elsewhere = 'elsewhere';

/** What follows at once when a machine tells its parent something: an event back, its end, or nothing. */
export type Reaction = AnyEventObject | typeof elsewhere | null;
export type Reacts = (fact: AnyEventObject, snapshot: AnyMachineSnapshot) => Reaction | undefined;

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
      case 'session.expired':
        return { type: 'session.changed', signedIn: false };
      case 'leave':
      case 'signIn.needed':
      case 'session.started':
        return elsewhere;
      default:
        return null;
    }
  };

type Executed = { type: string; params?: { to?: unknown; event?: AnyEventObject } };

const left = (snapshot: AnyMachineSnapshot): AnyMachineSnapshot =>
  Object.assign(Object.create(snapshot) as AnyMachineSnapshot, { value: elsewhere, status: 'active', _nodes: [] });

/**
 * A flow's machine as it runs in the shop: what it tells the app is answered in the same step, so that an exploration
 * only finds ways that a browser can go. `at` is the address it runs at; `reacts` comes before the app's own answers.
 */
export const inShop = (machine: AnyStateMachine, at: string, reacts: Reacts = () => undefined): AnyStateMachine => {
  const usual = appReacts(routeAt(at));

  const settle = (run: (scope: AnyActorScope) => AnyMachineSnapshot, scope: AnyActorScope): AnyMachineSnapshot => {
    const facts: AnyEventObject[] = [];
    const parent: unknown = scope.self._parent;
    const listening = {
      ...scope,
      actionExecutor: ({ type, params }: Executed) => {
        if (type === 'xstate.sendTo' && params?.event && params.to === parent) facts.push(params.event);
      },
    } as unknown as AnyActorScope;
    let snapshot = run(listening);
    for (const fact of facts) {
      const own = reacts(fact, snapshot);
      const reaction = own === undefined ? usual(fact) : own;
      if (reaction === elsewhere) return left(snapshot);
      if (reaction !== null) snapshot = take(snapshot, reaction, scope);
    }
    // A machine that is done is off the screen.
    return snapshot.status === 'done' ? left(snapshot) : snapshot;
  };
  const take = (snapshot: AnyMachineSnapshot, event: AnyEventObject, scope: AnyActorScope): AnyMachineSnapshot =>
    settle((listening) => machine.transition(snapshot, event, listening), scope);

  return Object.assign(Object.create(machine) as AnyStateMachine, {
    transition: take,
    getInitialSnapshot: (scope: AnyActorScope, input: unknown) =>
      settle((listening) => machine.getInitialSnapshot(listening, input as undefined), scope),
  });
};
