import { createActor, setup, type AnyActorRef, type AnyEventObject, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import type { FlowInput } from '../../machines/flows/flow-input.ts';
import { toFolderName } from '../../machines/flows/registry.ts';
import { parseRoute } from '../../machines/flows/routes.ts';
import { createBrowserEnvironment } from '../../src/shell/app/browser-environment.ts';
import type { AppEnvironment as PageWorld } from '../../src/shell/app/environment.ts';
import { setLocation } from './browser.ts';

/** A purchase that a customer wants to make, and the steps towards it. */
export type Errand = {
  /** Address of the first page. */
  address: string;
  /**
   * Events to send, the preferred one first: the customer sends the first one that the screen
   * accepts.
   */
  presses: (context: Record<string, unknown>) => AnyEventObject[];
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
  /** Pays at the gateway. @returns the address that the gateway redirects to */
  payAtGateway: (url: string) => Promise<string>;
  /** Resolves when the shop is reachable: customers do not keep pressing while it is down. */
  whenReachable: () => Promise<void>;
  /** Signs in again in the same browser. */
  signIn: () => Promise<void>;
};

type FlowModule = { flow: (world: PageWorld) => AnyStateMachine };

type Page = { root: AnyActorRef; flow: string; told: AnyEventObject[] };

/** Presses that are needed only after a fault, by their button labels. */
const buttonLabels: Record<string, string> = {
  'retry.pressed': 'Try again',
  'status.pressed': 'Check',
  'pay.pressed': 'Pay again',
  'buy.pressed': 'Get it again',
  'redeem.pressed': 'Redeem again',
  'resume.pressed': 'Keep again',
  'gift.submitted': 'wrote it again',
  'code.submitted': 'typed the code again',
  'credits.chosen': 'chose credits again',
  'continue.pressed': 'Continue again',
};

/** Name of an extra press in the table. */
export const extraStepName = (event: string): string => buttonLabels[event] ?? event;

const MAX_STEPS = 40;
/** Milliseconds until a screen must be idle. */
const MAX_REST_MS = 60_000;

const readSnapshot = (actor: AnyActorRef): AnyMachineSnapshot | undefined => {
  const snapshot = actor.getSnapshot() as AnyMachineSnapshot | undefined;
  return snapshot !== undefined && 'children' in snapshot && 'matches' in snapshot ? snapshot : undefined;
};

const getChildren = (snapshot: AnyMachineSnapshot) => snapshot.children as Record<string, AnyActorRef | undefined>;

/** An actor and its children, the innermost first: that one has the visible screen. */
const listWithChildren = (actor: AnyActorRef): AnyActorRef[] => {
  const snapshot = readSnapshot(actor);
  if (snapshot === undefined) return [];
  const inner = Object.values(getChildren(snapshot)).flatMap((child) => (child === undefined ? [] : listWithChildren(child)));
  return [...inner, ...(snapshot.status === 'active' ? [actor] : [])];
};

const formatState = (actor: AnyActorRef): string => JSON.stringify(readSnapshot(actor)?.value).replaceAll('"', '');

/**
 * A customer in one tab who retries until the purchase is complete or the screen says that it is
 * impossible.
 */
export class RetryingShopper {
  readonly #world: ShopperEnvironment;
  readonly #errand: Errand;
  readonly #did: string[] = [];
  readonly #pressed = new Set<string>();
  #page: Page | null = null;
  #address: string;
  #action: string | null = null;
  /** How the page is to be left next, because of an incident. */
  #leaving: 'reload' | 'back' | null = null;
  #sessionEnded = false;
  #wake: () => void = () => undefined;

  constructor(world: ShopperEnvironment, errand: Errand) {
    this.#world = world;
    this.#errand = errand;
    this.#address = errand.address;
  }

  /** The server has refused the session of the page. */
  #endSession(): void {
    this.#sessionEnded = true;
    this.#wake();
  }

  /** Leaves the page while a call is pending. */
  leave(how: 'reload' | 'back'): void {
    this.#leaving = how;
    this.#close();
    this.#wake();
  }

  async #open(address: string, resume: string | null = null): Promise<void> {
    this.#close();
    this.#address = address;
    setLocation(address);
    const route = parseRoute(location);
    const { flow: flowIn } = (await import(`../../src/flows/${toFolderName(route.flow)}/ports.ts`)) as FlowModule;
    // Each page has its own environment.
    const world = createBrowserEnvironment(Promise.resolve());
    world.onRefused(() => this.#endSession());
    const flow = flowIn(world);
    const told: AnyEventObject[] = [];
    const input: FlowInput = { route, signedIn: true, resume, store: this.#world.store };
    const root = createActor(
      setup({ actors: { flow } }).createMachine({
        invoke: { id: 'flow', src: 'flow', input },
        on: { '*': { actions: ({ event }) => void told.push(event) } },
      }),
      { inspect: () => this.#wake() },
    );
    this.#page = { root, flow: route.flow, told };
    root.start();
  }

  #close(): void {
    this.#page?.root.stop();
    this.#page = null;
  }

  get #machines(): AnyActorRef[] {
    const shop = this.#page && readSnapshot(this.#page.root);
    const flow = shop && getChildren(shop)['flow'];
    return flow ? listWithChildren(flow) : [];
  }

  get #isBusy(): boolean {
    return this.#machines.some((actor) => readSnapshot(actor)?.hasTag('busy'));
  }

  /** Waits until the screen is idle, redirects the customer, or an incident has happened. */
  async #rest(): Promise<void> {
    const until = performance.now() + MAX_REST_MS;
    for (;;) {
      const changed = new Promise<void>((resolve) => (this.#wake = resolve));
      // Lets events just sent be handled before the screen is read.
      await new Promise(setImmediate);
      const isAway = this.#leaving !== null || this.#sessionEnded || this.#page === null;
      if (isAway || this.#isSentAway() || !this.#isBusy) return;
      const left = until - performance.now();
      if (left <= 0) throw new Error(`${this.#screen()} is not idle`);
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([changed, new Promise((resolve) => (timer = setTimeout(resolve, left)))]);
      clearTimeout(timer);
    }
  }

  #screen(): string {
    return this.#machines
      .toReversed()
      .map((actor) => formatState(actor))
      .join(' / ');
  }

  #isSentAway(): boolean {
    return this.#page?.told.some(({ type }) => ['go', 'leave', 'signIn.needed'].includes(type)) ?? false;
  }

  #next(): AnyEventObject | undefined {
    const [page] = this.#machines.slice(-1);
    const context = (page && readSnapshot(page)?.context) as Record<string, unknown> | undefined;
    return this.#errand.presses(context ?? {}).find((event) => this.#machines.some((actor) => readSnapshot(actor)?.can(event)));
  }

  #press(event: AnyEventObject): void {
    const taker = this.#machines.find((actor) => readSnapshot(actor)?.can(event));
    // Pressed a second time, or offered after an error.
    if (this.#pressed.has(event.type) || /retry|status/.test(event.type)) this.#did.push(extraStepName(event.type));
    this.#pressed.add(event.type);
    taker?.send(event);
  }

  /**
   * Handles the page's requests to its environment.
   * @returns the ending, where one of them is final
   */
  async #follow(): Promise<ShopperResult | null> {
    for (const event of this.#page?.told.splice(0) ?? []) {
      if (event.type === 'action.begun') this.#action = event['action'] as string;
      if (event.type === 'action.ended') this.#action = null;
      if (event.type === 'leave') {
        const url = new URL(event['url'] as string, location.href);
        const ofShop = url.origin === location.origin ? url : null;
        if (ofShop?.pathname.endsWith('/success') === true) return { screen: 'welcomed', extraSteps: [...this.#did] };
        await this.#open(ofShop?.href ?? (await this.#world.payAtGateway(url.href)));
        return null;
      }
      if (event.type === 'signIn.needed') {
        await this.#signIn(event['action'] as string | null);
        return null;
      }
      if (event.type === 'go') {
        const to = event['to'] as string;
        setLocation(to);
        const { flow } = parseRoute(location);
        if (flow !== this.#page?.flow || to.includes('/success')) return { screen: flow, extraSteps: [...this.#did] };
        this.#address = to;
      }
    }
    return null;
  }

  async #signIn(action: string | null): Promise<void> {
    this.#did.push('signed in again');
    this.#close();
    await this.#world.signIn();
    await this.#open(this.#address, action);
  }

  async #happened(): Promise<boolean> {
    const how = this.#leaving;
    this.#leaving = null;
    if (how !== null) {
      this.#did.push(how === 'reload' ? 'loaded the page again' : 'went back and came again');
      this.#pressed.clear();
      await this.#open(how === 'reload' ? this.#address : this.#errand.address);
      return true;
    }
    if (!this.#sessionEnded) return false;
    this.#sessionEnded = false;
    await this.#signIn(this.#action);
    return true;
  }

  /** Runs the errand to its end. @throws Error where it does not end */
  async run(): Promise<ShopperResult> {
    await this.#open(this.#address);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      await this.#rest();
      await this.#world.whenReachable();
      if (await this.#happened()) continue;
      if (this.#isSentAway()) {
        const ending = await this.#follow();
        if (ending === null) continue;
        this.#close();
        return ending;
      }
      // While the shop was down, the screen may have retried by itself.
      if (this.#isBusy) continue;
      await this.#follow();
      if (this.#stands(this.#errand.restartStates)) {
        this.#did.push('began again');
        this.#pressed.clear();
        await this.#open(this.#errand.address);
        continue;
      }
      const next = this.#stands(this.#errand.successStates) ? undefined : this.#next();
      if (next === undefined) {
        const screen = this.#screen();
        this.#close();
        return { screen, extraSteps: [...this.#did] };
      }
      this.#press(next);
    }
    throw new Error(`The errand did not end: ${this.#screen()}, after ${this.#did.join(', ')}`);
  }

  #stands(states: readonly string[] = []): boolean {
    const [page] = this.#machines.slice(-1);
    return page !== undefined && states.some((state) => readSnapshot(page)?.matches(state as never));
  }
}
