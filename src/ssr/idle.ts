import type { AnyActorRef, AnyMachineSnapshot } from 'xstate';
import type { ShopClient } from '../client/wire/shop-client.ts';
import type { AppActor, ScreenActor } from '../views/app-actor.ts';

type RunningActor = Pick<AnyActorRef, 'getSnapshot'>;

const getMachineSnapshot = (actor: RunningActor): AnyMachineSnapshot | null => {
  const snapshot: unknown = actor.getSnapshot();
  return typeof snapshot === 'object' && snapshot !== null && 'hasTag' in snapshot ? (snapshot as AnyMachineSnapshot) : null;
};

const getChildActors = ({ children }: AnyMachineSnapshot): [string, RunningActor][] =>
  Object.entries(children as Record<string, RunningActor | undefined>).flatMap(([id, child]) => (child ? [[id, child]] : []));

/** Whether neither this machine nor a machine below it is busy. */
const isIdle = (actor: RunningActor): boolean => {
  const snapshot = getMachineSnapshot(actor);
  if (snapshot === null) return true;
  return !snapshot.hasTag('busy') && getChildActors(snapshot).every(([, child]) => isIdle(child));
};

const getScreen = (app: AppActor) => (app.getSnapshot().children.screen as ScreenActor | undefined)?.getSnapshot();

/** Whether a screen is shown; a redirect to another page has none. */
export const isShown = (app: AppActor): boolean => getScreen(app)?.matches('showing') === true;

/** Whether the screen's main content is still loading. */
export const isContentLoading = (app: AppActor): boolean => {
  const flow = getScreen(app)?.children.flow;
  return flow !== undefined && getMachineSnapshot(flow)?.hasTag('busy') === true;
};

type MachineState = { value: unknown; context: unknown; children: Record<string, MachineState> };

const toMachineState = (actor: RunningActor): MachineState | null => {
  const snapshot = getMachineSnapshot(actor);
  if (snapshot === null) return null;
  const states = getChildActors(snapshot).flatMap(([id, child]): [string, MachineState][] => {
    const state = toMachineState(child);
    return state ? [[id, state]] : [];
  });
  return { value: snapshot.value, context: snapshot.context as unknown, children: Object.fromEntries(states) };
};

/**
 * A 64-bit hash of a text, so that collisions of two states are negligible: two 32-bit hashes as in
 * FNV-1a, with different seeds and factors.
 */
const hashText = (text: string): string => {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b);
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36);
};

/**
 * A hash of all machine states. A screen is a function of these states: equal hashes mean
 * equal screens.
 */
export const stateHash = (app: RunningActor): string => hashText(JSON.stringify(toMachineState(app)));

const getProblem = (context: unknown): unknown =>
  typeof context === 'object' && context !== null && 'problem' in context ? context.problem : null;

/** Whether neither this machine nor a machine below it has a problem. */
export const hasNoProblem = (actor: RunningActor): boolean => {
  const snapshot = getMachineSnapshot(actor);
  if (snapshot === null) return true;
  return getProblem(snapshot.context) === null && getChildActors(snapshot).every(([, child]) => hasNoProblem(child));
};

/** Resolves in a later task, after the tasks that are queued now. */
const waitForTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/**
 * Milliseconds between two checks of a shop that is busy without a pending call, for example while
 * a chunk loads.
 */
const pollIntervalMs = 4;

/**
 * Waits until the shop is idle: no machine is busy, no call is pending, and all answers have been
 * processed.
 * @throws the signal's abort reason
 */
export const whenIdle = async (app: RunningActor, { calls }: Pick<ShopClient, 'calls'>, signal?: AbortSignal): Promise<void> => {
  const abort = Promise.withResolvers<never>();
  signal?.addEventListener('abort', () => abort.reject(signal.reason), { once: true });
  // Avoids an unhandled rejection while the promise is not awaited.
  abort.promise.catch(() => undefined);
  for (let idleChecks = 0; idleChecks < 3;) {
    signal?.throwIfAborted();
    const pendingCalls = calls();
    const isQuiet = pendingCalls === null && isIdle(app);
    idleChecks = isQuiet ? idleChecks + 1 : 0;
    if (isQuiet) await waitForTask();
    else await Promise.race([pendingCalls ?? new Promise((resolve) => setTimeout(resolve, pollIntervalMs)), abort.promise]);
  }
};
