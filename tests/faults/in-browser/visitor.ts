import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { password, type Customer } from '../../../tools/browser/customer.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';
import { extraStepName, type ShopperResult, type Errand } from '../shopper.ts';
import type { FaultyProxy } from './faulty-proxy.ts';

/** Visible state of a page at one moment. */
type ShownState = {
  origin: string;
  path: string;
  states: { flow: string; state: unknown }[];
  /** Event names of the buttons that can be pressed. */
  presses: string[];
  withCredits: boolean;
  hasCardForm: boolean;
  /** Text of the page without header and footer. */
  says: string;
};

// Runs inside the page.
function readPage(): ShownState {
  const shown = (element: HTMLElement): boolean => element.checkVisibility();
  const all = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
  const main = document.querySelector('main');
  return {
    origin: location.origin,
    path: location.pathname,
    states: all('main [data-flow][data-state]').map(({ dataset }) => ({
      flow: dataset['flow'] ?? '',
      state: JSON.parse(dataset['state'] ?? 'null') as unknown,
    })),
    presses: all('main [data-event]:not(:disabled, [aria-disabled=true])')
      .filter(shown)
      .map(({ dataset }) => dataset['event'] ?? ''),
    withCredits: document.querySelector<HTMLInputElement>('input[data-event="credits.chosen"]')?.checked ?? false,
    hasCardForm: document.querySelector('input[name="number"]') !== null,
    says: main?.innerText ?? '',
  };
}

/** Whether an XState state value equals, or lies within, the state with this dotted name. */
function matchesState(state: unknown, [first = '', ...rest]: readonly string[]): boolean {
  if (typeof state === 'string') return state === first && rest.length === 0;
  if (typeof state !== 'object' || state === null || !(first in state)) return false;
  return rest.length === 0 || matchesState(Reflect.get(state, first), rest);
}

type NextAction =
  | { do: 'end'; screen: string }
  | { do: 'press'; event: string }
  | { do: 'pay' | 'sign in' | 'begin again' | 'come again' };

/**
 * Milliseconds between two looks at a page, for one look, and until the page is idle: a page waits
 * up to 30 s for a response.
 */
const POLL_INTERVAL_MS = 100;
const MAX_LOOK_MS = 10_000;
const MAX_REST_MS = 120_000;
const MAX_STEPS = 40;

/** The page before the shop in the history, which Back returns to: one that loads quickly. */
const PREVIOUS_PATH = '/robots.txt';

type VisitorEnvironment = {
  proxy: FaultyProxy;
  customer: Customer;
  /** Resolves when the shop is reachable. */
  isThere: () => Promise<void>;
  /** @throws when the screen makes a false statement */
  believes: (says: string) => Promise<void>;
};

/** A customer in a tab of Chromium who retries until the purchase is complete. */
export class RetryingVisitor {
  readonly #page: Page;
  readonly #world: VisitorEnvironment;
  readonly #errand: Errand;
  /** Presses every button twice. */
  readonly #isHasty: boolean;
  readonly #flow: string;
  readonly #did: string[] = [];
  readonly #pressed = new Set<string>();
  #leaving: 'reload' | 'back' | null = null;

  constructor(page: Page, world: VisitorEnvironment, errand: Errand, { isHasty = false } = {}) {
    this.#page = page;
    this.#world = world;
    this.#errand = errand;
    this.#isHasty = isHasty;
    this.#flow = parseRoute(new URL(errand.address, world.proxy.origin)).flow;
  }

  /** Leaves the page while a call is pending. */
  leave(how: 'reload' | 'back'): void {
    this.#leaving = how;
  }

  /** Runs the errand to its end. @throws Error where it does not end */
  async run(): Promise<ShopperResult> {
    await this.#page.goto(new URL(PREVIOUS_PATH, this.#world.proxy.origin).href);
    await this.#begin();
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const next = await this.#rest();
      await this.#world.isThere();
      if (next.do === 'end') return { screen: next.screen, extraSteps: [...this.#did] };
      await this.#act(next);
    }
    throw new Error(`The errand did not end, after ${this.#did.join(', ')}`);
  }

  async #begin(): Promise<void> {
    await this.#page.goto(new URL(this.#errand.address, this.#world.proxy.origin).href);
  }

  /** Waits until a button can be pressed, or the errand is complete. */
  async #rest(): Promise<NextAction> {
    const until = performance.now() + MAX_REST_MS;
    let seen: ShownState | null = null;
    while (performance.now() < until) {
      if (this.#leaving !== null) await this.#leave(this.#leaving);
      seen = await this.#look();
      const next = seen && this.#nextOf(seen);
      if (seen && next) {
        await this.#world.believes(seen.says);
        return next;
      }
      await setTimeout(POLL_INTERVAL_MS);
    }
    throw new Error(`The page is not idle: ${seen?.path ?? 'nothing'} ${JSON.stringify(seen?.states)} ${seen?.says ?? ''}`);
  }

  /** A page that is being left may reject the call or never answer. */
  #look(): Promise<ShownState | null> {
    return Promise.race([this.#page.evaluate(readPage).catch(() => null), setTimeout(MAX_LOOK_MS, null, { ref: false })]);
  }

  async #leave(how: 'reload' | 'back'): Promise<void> {
    this.#leaving = null;
    this.#world.proxy.stopFailing();
    this.#pressed.clear();
    this.#did.push(how === 'reload' ? 'loaded the page again' : 'went back and came again');
    if (how === 'reload') await this.#page.reload();
    else await this.#page.goBack();
  }

  #nextOf(seen: ShownState): NextAction | null {
    if (seen.origin !== this.#world.proxy.origin) return seen.hasCardForm ? { do: 'pay' } : null;
    const isIn = (flow: string, states: readonly string[] = []) =>
      seen.states.some((each) => each.flow === flow && states.some((state) => matchesState(each.state, state.split('.'))));
    if (seen.path.endsWith('/success') && isIn('receipt', ['shown', 'subscribed'])) return { do: 'end', screen: 'welcomed' };
    const end = this.#errand.successStates?.find((state) => isIn(this.#flow, [state]));
    if (end !== undefined) return { do: 'end', screen: end };
    if (isIn(this.#flow, this.#errand.restartStates)) return { do: 'begin again' };
    if (isIn('signIn', ['asking'])) return { do: 'sign in' };
    if (seen.path === PREVIOUS_PATH) return { do: 'come again' };
    const wanted = this.#errand.presses({ withCredits: seen.withCredits });
    const event = wanted.find(({ type }) => seen.presses.includes(type))?.type;
    return event === undefined ? null : { do: 'press', event };
  }

  async #act(next: Exclude<NextAction, { do: 'end' }>): Promise<void> {
    this.#world.proxy.stopFailing();
    if (next.do === 'press') return this.#press(next.event);
    if (next.do === 'pay') return this.#pay();
    if (next.do === 'sign in') return this.#signIn();
    if (next.do === 'begin again') this.#did.push('began again');
    this.#pressed.clear();
    return this.#begin();
  }

  async #press(event: string): Promise<void> {
    const button = `main [data-event="${event}"]:not(:disabled, [aria-disabled=true])`;
    if (event === 'gift.submitted') {
      await this.#page.fill('main [name="name"]', 'Robin');
      await this.#page.fill('main [name="email"]', 'robin@example.com');
    }
    if (!(await this.#click(button))) return;
    // Pressed a second time, or offered after an error.
    if (this.#pressed.has(event) || /retry|status/.test(event)) this.#did.push(extraStepName(event));
    this.#pressed.add(event);
  }

  /** @returns whether the button was still there */
  async #click(selector: string): Promise<boolean> {
    const button = this.#page.locator(selector).filter({ visible: true }).first();
    const once = { timeout: 10_000, noWaitAfter: true };
    return (this.#isHasty ? button.dblclick(once) : button.click(once)).then(
      () => true,
      () => false,
    );
  }

  async #pay(): Promise<void> {
    const card = { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ann Example' };
    for (const [name, value] of Object.entries(card)) await this.#page.fill(`input[name="${name}"]`, value);
    const frame = this.#page.mainFrame();
    // `waitForURL` rejects when a second press aborts the first one's navigation.
    const leaves = this.#page.waitForEvent('framenavigated', (navigated) => {
      return navigated === frame && new URL(navigated.url()).origin === this.#world.proxy.origin;
    });
    await Promise.all([leaves, this.#click('form:has(input[name="number"]) button')]);
  }

  async #signIn(): Promise<void> {
    this.#did.push('signed in again');
    const form = 'main [data-flow="signIn"]';
    await this.#page.fill(`${form} [name="email"]`, this.#world.customer.email);
    await this.#page.fill(`${form} [name="password"]`, password);
    await this.#click(`${form} [data-event="signIn.submitted"]`);
    // Until the event is handled, the form stays unchanged.
    await this.#page.waitForFunction(() => document.querySelector('[data-flow="signIn"][data-state*="asking"]') === null);
  }
}
