import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { ShopClient } from '../client/wire/shop-client.ts';
import type { AppActor, ScreenActor } from '../views/app-actor.ts';

type Running = Pick<AnyActorRef, 'getSnapshot'>;

const machineOf = (actor: Running): AnyMachineSnapshot | null => {
  const snapshot: unknown = actor.getSnapshot();
  return typeof snapshot === 'object' && snapshot !== null && 'hasTag' in snapshot ? (snapshot as AnyMachineSnapshot) : null;
};

const childrenOf = ({ children }: AnyMachineSnapshot): [string, Running][] =>
  Object.entries(children as Record<string, Running | undefined>).flatMap(([id, child]) => (child ? [[id, child]] : []));

/** Whether no machine of the shop waits for anything. */
const isAtRest = (actor: Running): boolean => {
  const snapshot = machineOf(actor);
  if (snapshot === null) return true;
  return !snapshot.hasTag('busy') && childrenOf(snapshot).every(([, child]) => isAtRest(child));
};

const screenOf = (app: AppActor) => (app.getSnapshot().children.screen as ScreenActor | undefined)?.getSnapshot();

/** Whether a screen is shown; what leads to another page has none. */
export const isShown = (app: AppActor): boolean => screenOf(app)?.matches('showing') === true;

/** Whether what the screen is of is still to come. */
export const isAwaited = (app: AppActor): boolean => {
  const flow = screenOf(app)?.children.flow;
  return flow !== undefined && machineOf(flow)?.hasTag('busy') === true;
};

type State = { value: unknown; context: unknown; children: Record<string, State> };

const stateOf = (actor: Running): State | null => {
  const snapshot = machineOf(actor);
  if (snapshot === null) return null;
  const states = childrenOf(snapshot).flatMap(([id, child]): [string, State][] => {
    const state = stateOf(child);
    return state ? [[id, state]] : [];
  });
  return { value: snapshot.value, context: snapshot.context as unknown, children: Object.fromEntries(states) };
};

/** 64 bits of a text, which no two states of a shop share by chance: FNV-1a, by two halves that start differently. */
const hashOf = (text: string): string => {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36);
};

/** A screen is a function of its machines' states: of two shops with one key, both are the same. */
export const screenKey = (app: Running): string => hashOf(JSON.stringify(stateOf(app)));

const problemIn = (context: unknown): unknown =>
  typeof context === 'object' && context !== null && 'problem' in context ? context.problem : null;

/** Whether nothing has failed in any machine of the shop. */
export const isWhole = (actor: Running): boolean => {
  const snapshot = machineOf(actor);
  if (snapshot === null) return true;
  return problemIn(snapshot.context) === null && childrenOf(snapshot).every(([, child]) => isWhole(child));
};

/** Lets everything run that is ready to run. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** Milliseconds between two looks at a shop that waits for something else than a call, such as a part of the program. */
const pause = 4;

/**
 * Waits until the shop has nothing to do: no machine is busy and no call is running, and what they have brought has arrived.
 * @throws what the signal was aborted with
 */
export const whenAtRest = async (app: Running, { calls }: Pick<ShopClient, 'calls'>, signal?: AbortSignal): Promise<void> => {
  const givenUp = Promise.withResolvers<never>();
  signal?.addEventListener('abort', () => givenUp.reject(signal.reason), { once: true });
  // It may come while nobody waits for it.
  givenUp.promise.catch(() => undefined);
  for (let calm = 0; calm < 3;) {
    signal?.throwIfAborted();
    const running = calls();
    const isCalm = running === null && isAtRest(app);
    calm = isCalm ? calm + 1 : 0;
    if (isCalm) await turn();
    else await Promise.race([running ?? new Promise((resolve) => setTimeout(resolve, pause)), givenUp.promise]);
  }
};
