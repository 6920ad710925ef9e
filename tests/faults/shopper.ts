import { createActor, setup, type AnyActorRef, type AnyEventObject, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import type { FlowInput } from '../../machines/flows/flow-input.ts';
import { toFolderName } from '../../machines/flows/registry.ts';
import { parseRoute } from '../../machines/flows/routes.ts';
import { createBrowserEnvironment } from '../../src/shell/app/browser-environment.ts';
import type { AppEnvironment } from '../../src/shell/app/environment.ts';
import { setLocation } from './browser.ts';

/** A purchase that a customer wants to make, and the steps towards it. */
export type Errand = {
  /** Path and query of the first page. */
  startPath: string;
  /**
   * Events to send, the preferred one first: the customer sends the first one that the screen
   * accepts.
   */
  getNextEvents: (context: Record<string, unknown>) => AnyEventObject[];
  /** States of the flow in which the errand is complete, besides the pages that it leads to. */
  successStates?: readonly string[];
  /** States whose screen has a link to the first page. */
  restartStates?: readonly string[];
};

/** How a visit ended: the last screen, and the extra steps that faults forced on the customer. */
export type ShopperResult = { screen: string; extraSteps: string[] };

/** The customer's surroundings outside the page. */
export type ShopperEnvironment = {
  store: FlowInput['store'];
  /** Pays at the gateway. @returns the URL that the gateway redirects to */
  payAtGateway: (url: string) => Promise<string>;
  /** Resolves when the shop is reachable: customers do not keep pressing while it is down. */
  whenReachable: () => Promise<void>;
  /** Signs in again in the same browser. */
  signIn: () => Promise<void>;
};

type FlowModule = { flow: (environment: AppEnvironment) => AnyStateMachine };

type Page = { root: AnyActorRef; flow: string; events: AnyEventObject[] };

/** Names of the steps that are needed only after a fault, by the type of their event. */
const extraStepNames: Record<string, string> = {
  'retry.pressed': 'Try again',
  'status.pressed': 'Check',
  'pay.pressed': 'Pay again',
  'buy.pressed': 'Get it again',
  'redeem.pressed': 'Redeem again',
  'resume.pressed': 'Keep again',
  'gift.submitted': 'submitted the gift again',
  'code.submitted': 'typed the code again',
  'credits.chosen': 'chose credits again',
  'continue.pressed': 'Continue again',
};

/** The name of an extra press in the table. */
export const getExtraStepName = (event: string): string => extraStepNames[event] ?? event;

const MAX_STEPS = 40;
/** Milliseconds until a screen must be idle. */
const MAX_BUSY_MS = 60_000;

const readSnapshot = (actor: AnyActorRef): AnyMachineSnapshot | undefined => {
  const snapshot = actor.getSnapshot() as AnyMachineSnapshot | undefined;
  return snapshot !== undefined && 'children' in snapshot && 'matches' in snapshot ? snapshot : undefined;
};

const getChildren = (snapshot: AnyMachineSnapshot) => snapshot.children as Record<string, AnyActorRef | undefined>;

/** An actor and its descendants, the innermost first, without those that have ended. */
const listWithChildren = (actor: AnyActorRef): AnyActorRef[] => {
  const snapshot = readSnapshot(actor);
  if (snapshot === undefined) return [];
  const descendants = Object.values(getChildren(snapshot)).flatMap((child) =>
    child === undefined ? [] : listWithChildren(child),
  );
  return [...descendants, ...(snapshot.status === 'active' ? [actor] : [])];
};

const formatState = (actor: AnyActorRef): string => JSON.stringify(readSnapshot(actor)?.value).replaceAll('"', '');

/**
 * A customer in one tab who retries until the purchase is complete or the screen says that it is
 * impossible.
 */
export class RetryingShopper {
  readonly #environment: ShopperEnvironment;
  readonly #errand: Errand;
  readonly #extraSteps: string[] = [];
  readonly #pressedEvents = new Set<string>();
  #page: Page | null = null;
  #currentUrl: string;
  #action: string | null = null;
  /** How an incident requires the page to be left next; null without an incident. */
  #pendingNavigation: 'reload' | 'back' | null = null;
  #hasSessionEnded = false;
  #wake: () => void = () => undefined;

  constructor(environment: ShopperEnvironment, errand: Errand) {
    this.#environment = environment;
    this.#errand = errand;
    this.#currentUrl = errand.startPath;
  }

  /** The server has refused the session of the page. */
  #endSession(): void {
    this.#hasSessionEnded = true;
    this.#wake();
  }

  /** Leaves the page while a call is pending. */
  leave(navigation: 'reload' | 'back'): void {
    this.#pendingNavigation = navigation;
    this.#close();
    this.#wake();
  }

  async #open(url: string, resume: string | null = null): Promise<void> {
    this.#close();
    this.#currentUrl = url;
    setLocation(url);
    const route = parseRoute(location);
    const { flow: createFlow } = (await import(`../../src/flows/${toFolderName(route.flow)}/ports.ts`)) as FlowModule;
    // Each page has its own environment.
    const appEnvironment = createBrowserEnvironment(Promise.resolve());
    appEnvironment.onRefused(() => this.#endSession());
    const flow = createFlow(appEnvironment);
    const events: AnyEventObject[] = [];
    const input: FlowInput = { route, signedIn: true, resume, store: this.#environment.store };
    const root = createActor(
      setup({ actors: { flow } }).createMachine({
        invoke: { id: 'flow', src: 'flow', input },
        on: { '*': { actions: ({ event }) => void events.push(event) } },
      }),
      { inspect: () => this.#wake() },
    );
    this.#page = { root, flow: route.flow, events };
    root.start();
  }

  #close(): void {
    this.#page?.root.stop();
    this.#page = null;
  }

  get #machines(): AnyActorRef[] {
    const rootSnapshot = this.#page && readSnapshot(this.#page.root);
    const flow = rootSnapshot && getChildren(rootSnapshot)['flow'];
    return flow ? listWithChildren(flow) : [];
  }

  get #isBusy(): boolean {
    return this.#machines.some((actor) => readSnapshot(actor)?.hasTag('busy'));
  }

  /** Waits until the screen is idle, redirects the customer, or an incident has happened. */
  async #waitUntilIdle(): Promise<void> {
    const deadline = performance.now() + MAX_BUSY_MS;
    for (;;) {
      const changed = new Promise<void>((resolve) => (this.#wake = resolve));
      // Lets events just sent be handled before the screen is read.
      await new Promise(setImmediate);
      const isAway = this.#pendingNavigation !== null || this.#hasSessionEnded || this.#page === null;
      if (isAway || this.#isRedirected() || !this.#isBusy) return;
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0) throw new Error(`The screen is not idle after ${MAX_BUSY_MS} ms: ${this.#describeScreen()}`);
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([changed, new Promise((resolve) => (timer = setTimeout(resolve, remainingMs)))]);
      clearTimeout(timer);
    }
  }

  #describeScreen(): string {
    return this.#machines
      .toReversed()
      .map((actor) => formatState(actor))
      .join(' / ');
  }

  #isRedirected(): boolean {
    return this.#page?.events.some(({ type }) => ['go', 'leave', 'signIn.needed'].includes(type)) ?? false;
  }

  #selectEvent(): AnyEventObject | undefined {
    const [pageActor] = this.#machines.slice(-1);
    const context = (pageActor && readSnapshot(pageActor)?.context) as Record<string, unknown> | undefined;
    return this.#errand
      .getNextEvents(context ?? {})
      .find((event) => this.#machines.some((actor) => readSnapshot(actor)?.can(event)));
  }

  #press(event: AnyEventObject): void {
    const receiver = this.#machines.find((actor) => readSnapshot(actor)?.can(event));
    // The button is pressed a second time, or is offered after an error.
    if (this.#pressedEvents.has(event.type) || /retry|status/.test(event.type))
      this.#extraSteps.push(getExtraStepName(event.type));
    this.#pressedEvents.add(event.type);
    receiver?.send(event);
  }

  /**
   * Handles the events that the flow has sent to the shop.
   * @returns the result if one of the events ends the errand, otherwise null
   */
  async #handlePageEvents(): Promise<ShopperResult | null> {
    for (const event of this.#page?.events.splice(0) ?? []) {
      if (event.type === 'action.started') this.#action = event['action'] as string;
      if (event.type === 'action.ended') this.#action = null;
      if (event.type === 'leave') {
        const url = new URL(event['url'] as string, location.href);
        const shopUrl = url.origin === location.origin ? url : null;
        if (shopUrl?.pathname.endsWith('/success') === true) return { screen: 'receipt', extraSteps: [...this.#extraSteps] };
        await this.#open(shopUrl?.href ?? (await this.#environment.payAtGateway(url.href)));
        return null;
      }
      if (event.type === 'signIn.needed') {
        await this.#signIn(event['action'] as string | null);
        return null;
      }
      if (event.type === 'go') {
        const targetUrl = event['to'] as string;
        setLocation(targetUrl);
        const { flow } = parseRoute(location);
        if (flow !== this.#page?.flow || targetUrl.includes('/success'))
          return { screen: flow, extraSteps: [...this.#extraSteps] };
        this.#currentUrl = targetUrl;
      }
    }
    return null;
  }

  async #signIn(action: string | null): Promise<void> {
    this.#extraSteps.push('signed in again');
    this.#close();
    await this.#environment.signIn();
    await this.#open(this.#currentUrl, action);
  }

  async #handleIncident(): Promise<boolean> {
    const navigation = this.#pendingNavigation;
    this.#pendingNavigation = null;
    if (navigation !== null) {
      this.#extraSteps.push(navigation === 'reload' ? 'loaded the page again' : 'went back and returned');
      this.#pressedEvents.clear();
      await this.#open(navigation === 'reload' ? this.#currentUrl : this.#errand.startPath);
      return true;
    }
    if (!this.#hasSessionEnded) return false;
    this.#hasSessionEnded = false;
    await this.#signIn(this.#action);
    return true;
  }

  /** Runs the errand to its end. @throws Error if it does not end */
  async run(): Promise<ShopperResult> {
    await this.#open(this.#currentUrl);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      await this.#waitUntilIdle();
      await this.#environment.whenReachable();
      if (await this.#handleIncident()) continue;
      if (this.#isRedirected()) {
        const ending = await this.#handlePageEvents();
        if (ending === null) continue;
        this.#close();
        return ending;
      }
      // While the shop was down, the screen may have retried by itself.
      if (this.#isBusy) continue;
      await this.#handlePageEvents();
      if (this.#isInState(this.#errand.restartStates)) {
        this.#extraSteps.push('started again');
        this.#pressedEvents.clear();
        await this.#open(this.#errand.startPath);
        continue;
      }
      const next = this.#isInState(this.#errand.successStates) ? undefined : this.#selectEvent();
      if (next === undefined) {
        const screen = this.#describeScreen();
        this.#close();
        return { screen, extraSteps: [...this.#extraSteps] };
      }
      this.#press(next);
    }
    throw new Error(
      `The errand has not ended after ${MAX_STEPS} steps: ${this.#describeScreen()}, after ${this.#extraSteps.join(', ')}`,
    );
  }

  #isInState(states: readonly string[] = []): boolean {
    const [pageActor] = this.#machines.slice(-1);
    return pageActor !== undefined && states.some((state) => readSnapshot(pageActor)?.matches(state as never));
  }
}
