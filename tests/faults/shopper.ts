import { createActor, setup, type AnyActorRef, type AnyEventObject, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import type { FlowInput } from '../../machines/flows/flow-input.ts';
import { folderOf } from '../../machines/flows/registry.ts';
import { routeOf } from '../../machines/flows/routes.ts';
import { createBrowserWorld } from '../../src/shell/app/browser-world.ts';
import type { World as PageWorld } from '../../src/shell/app/world.ts';
import { goTo } from './browser.ts';

/** What a customer wants, and how they go about it. */
export type Errand = {
  /** Where they begin. */
  address: string;
  /** What they press, the dearest first: of these the first that the screen takes. */
  presses: (context: Record<string, unknown>) => AnyEventObject[];
  /** The states of the flow in which they have what they wanted, beside the pages to which it leads on. */
  ends?: readonly string[];
  /** The states whose screen has a link to where the errand begins. */
  leadsBack?: readonly string[];
};

/** How a visit ended: what the last screen said, and what the customer had to do that they would not have done otherwise. */
export type Ending = { screen: string; did: string[] };

/** What the world does with the customer when the page sends them away. */
export type World = {
  store: FlowInput['store'];
  /** Pays at the gateway. @returns where it sends the customer back to */
  atGateway: (url: string) => Promise<string>;
  /** Resolves when the shop can be reached: nobody presses for ever while it cannot. */
  isThere: () => Promise<void>;
  /** Signs in once more in the same browser. */
  signIn: () => Promise<void>;
};

type Part = { flow: (world: PageWorld) => AnyStateMachine };

type Page = { root: AnyActorRef; flow: string; told: AnyEventObject[] };

/** Presses that are not needed where all goes well, as the buttons say it. */
const words: Record<string, string> = {
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

/** What a press is called that would not have been needed. */
export const doneAgain = (event: string): string => words[event] ?? event;

const MOST_STEPS = 40;
/** Milliseconds in which a screen comes to rest. */
const LONGEST_REST = 60_000;

const snapshotOf = (actor: AnyActorRef): AnyMachineSnapshot | undefined => {
  const snapshot = actor.getSnapshot() as AnyMachineSnapshot | undefined;
  return snapshot !== undefined && 'children' in snapshot && 'matches' in snapshot ? snapshot : undefined;
};

const childrenOf = (snapshot: AnyMachineSnapshot) => snapshot.children as Record<string, AnyActorRef | undefined>;

/** A machine and those that it runs, the innermost first: whose screen is in front. */
const withChildren = (actor: AnyActorRef): AnyActorRef[] => {
  const snapshot = snapshotOf(actor);
  if (snapshot === undefined) return [];
  const inner = Object.values(childrenOf(snapshot)).flatMap((child) => (child === undefined ? [] : withChildren(child)));
  return [...inner, ...(snapshot.status === 'active' ? [actor] : [])];
};

const nameOf = (actor: AnyActorRef): string => JSON.stringify(snapshotOf(actor)?.value).replaceAll('"', '');

/** A customer in one tab, who does not give up: presses what the screen offers until they have what they want, or are told that they cannot. */
export class Shopper {
  readonly #world: World;
  readonly #errand: Errand;
  readonly #did: string[] = [];
  readonly #pressed = new Set<string>();
  #page: Page | null = null;
  #address: string;
  #action: string | null = null;
  /** What the page is to do next, because something happened to it. */
  #leaving: 'reload' | 'back' | null = null;
  #sessionEnded = false;
  #wake: () => void = () => undefined;

  constructor(world: World, errand: Errand) {
    this.#world = world;
    this.#errand = errand;
    this.#address = errand.address;
  }

  /** The server has refused the session of the page. */
  #endSession(): void {
    this.#sessionEnded = true;
    this.#wake();
  }

  /** The page goes away in the middle of what it does. */
  leaves(how: 'reload' | 'back'): void {
    this.#leaving = how;
    this.#close();
    this.#wake();
  }

  async #open(address: string, resume: string | null = null): Promise<void> {
    this.#close();
    this.#address = address;
    goTo(address);
    const route = routeOf(location);
    const { flow: flowIn } = (await import(`../../src/flows/${folderOf(route.flow)}/ports.ts`)) as Part;
    // Each page has a world of its own.
    const world = createBrowserWorld(Promise.resolve());
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
    const shop = this.#page && snapshotOf(this.#page.root);
    const flow = shop && childrenOf(shop)['flow'];
    return flow ? withChildren(flow) : [];
  }

  get #isBusy(): boolean {
    return this.#machines.some((actor) => snapshotOf(actor)?.hasTag('busy'));
  }

  /** Waits until the screen stands still, sends the customer away, or something has happened to it. */
  async #rest(): Promise<void> {
    const until = performance.now() + LONGEST_REST;
    for (;;) {
      const changed = new Promise<void>((resolve) => (this.#wake = resolve));
      // What was just said is heard before the screen is looked at.
      await new Promise(setImmediate);
      const isAway = this.#leaving !== null || this.#sessionEnded || this.#page === null;
      if (isAway || this.#isSentAway() || !this.#isBusy) return;
      const left = until - performance.now();
      if (left <= 0) throw new Error(`${this.#screen()} came to no rest`);
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([changed, new Promise((resolve) => (timer = setTimeout(resolve, left)))]);
      clearTimeout(timer);
    }
  }

  #screen(): string {
    return this.#machines
      .toReversed()
      .map((actor) => nameOf(actor))
      .join(' / ');
  }

  #isSentAway(): boolean {
    return this.#page?.told.some(({ type }) => ['go', 'leave', 'signIn.needed'].includes(type)) ?? false;
  }

  #next(): AnyEventObject | undefined {
    const [page] = this.#machines.slice(-1);
    const context = (page && snapshotOf(page)?.context) as Record<string, unknown> | undefined;
    return this.#errand.presses(context ?? {}).find((event) => this.#machines.some((actor) => snapshotOf(actor)?.can(event)));
  }

  #press(event: AnyEventObject): void {
    const taker = this.#machines.find((actor) => snapshotOf(actor)?.can(event));
    // Pressed a second time, or offered because something went wrong.
    if (this.#pressed.has(event.type) || /retry|status/.test(event.type)) this.#did.push(doneAgain(event.type));
    this.#pressed.add(event.type);
    taker?.send(event);
  }

  /** Does what the page has asked for. @returns the ending, where that is one */
  async #follow(): Promise<Ending | null> {
    for (const event of this.#page?.told.splice(0) ?? []) {
      if (event.type === 'action.begun') this.#action = event['action'] as string;
      if (event.type === 'action.ended') this.#action = null;
      if (event.type === 'leave') {
        const url = new URL(event['url'] as string, location.href);
        const ofShop = url.origin === location.origin ? url : null;
        if (ofShop?.pathname.endsWith('/success') === true) return { screen: 'welcomed', did: [...this.#did] };
        await this.#open(ofShop?.href ?? (await this.#world.atGateway(url.href)));
        return null;
      }
      if (event.type === 'signIn.needed') {
        await this.#signIn(event['action'] as string | null);
        return null;
      }
      if (event.type === 'go') {
        const to = event['to'] as string;
        goTo(to);
        const { flow } = routeOf(location);
        if (flow !== this.#page?.flow || to.includes('/success')) return { screen: flow, did: [...this.#did] };
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

  /** Goes through with it. @throws Error where it comes to no end */
  async run(): Promise<Ending> {
    await this.#open(this.#address);
    for (let step = 0; step < MOST_STEPS; step += 1) {
      await this.#rest();
      await this.#world.isThere();
      if (await this.#happened()) continue;
      if (this.#isSentAway()) {
        const ending = await this.#follow();
        if (ending === null) continue;
        this.#close();
        return ending;
      }
      // While the shop was away the screen may have asked again by itself.
      if (this.#isBusy) continue;
      await this.#follow();
      if (this.#stands(this.#errand.leadsBack)) {
        this.#did.push('began again');
        this.#pressed.clear();
        await this.#open(this.#errand.address);
        continue;
      }
      const next = this.#stands(this.#errand.ends) ? undefined : this.#next();
      if (next === undefined) {
        const screen = this.#screen();
        this.#close();
        return { screen, did: [...this.#did] };
      }
      this.#press(next);
    }
    throw new Error(`there was no end to it: ${this.#screen()}, after ${this.#did.join(', ')}`);
  }

  #stands(states: readonly string[] = []): boolean {
    const [page] = this.#machines.slice(-1);
    return page !== undefined && states.some((state) => snapshotOf(page)?.matches(state as never));
  }
}
