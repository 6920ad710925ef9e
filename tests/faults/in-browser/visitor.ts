import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { password, type Customer } from '../../../tools/browser/customer.ts';
import { parseRoute } from '../../../machines/flows/routes.ts';
import { getExtraStepName, type ShopperResult, type Errand } from '../shopper.ts';
import type { FaultyProxy } from './faulty-proxy.ts';

/** Visible state of a page at one moment. */
type PageState = {
  origin: string;
  path: string;
  states: { flow: string; state: unknown }[];
  /** Event names of the buttons that can be pressed. */
  events: string[];
  withCredits: boolean;
  hasCardForm: boolean;
  /** Text of the page without header and footer. */
  text: string;
};

// Runs inside the page.
function readPage(): PageState {
  const isVisible = (element: HTMLElement): boolean => element.checkVisibility();
  const findAll = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)];
  const main = document.querySelector('main');
  return {
    origin: location.origin,
    path: location.pathname,
    states: findAll('main [data-flow][data-state]').map(({ dataset }) => ({
      flow: dataset['flow'] ?? '',
      state: JSON.parse(dataset['state'] ?? 'null') as unknown,
    })),
    events: findAll('main [data-event]:not(:disabled, [aria-disabled=true])')
      .filter(isVisible)
      .map(({ dataset }) => dataset['event'] ?? ''),
    withCredits: document.querySelector<HTMLInputElement>('input[data-event="credits.chosen"]')?.checked ?? false,
    hasCardForm: document.querySelector('input[name="number"]') !== null,
    text: main?.innerText ?? '',
  };
}

/** Whether an XState state value equals, or lies within, the state at this path of names. */
function matchesState(state: unknown, [first = '', ...remaining]: readonly string[]): boolean {
  if (typeof state === 'string') return state === first && remaining.length === 0;
  if (typeof state !== 'object' || state === null || !(first in state)) return false;
  return remaining.length === 0 || matchesState(Reflect.get(state, first), remaining);
}

type NextAction =
  | { do: 'end'; screen: string }
  | { do: 'press'; event: string }
  | { do: 'pay' | 'sign in' | 'start again' | 'return' };

/** Milliseconds between two reads of a page. */
const POLL_INTERVAL_MS = 100;
/** Time limit for one read of a page. */
const MAX_READ_MS = 10_000;
/** Time limit until the page offers a next step: a page waits up to 30 s for a response. */
const MAX_BUSY_MS = 120_000;
const MAX_STEPS = 40;

/** The page before the shop in the history, which Back returns to: one that loads quickly. */
const PREVIOUS_PATH = '/robots.txt';

type VisitorEnvironment = {
  proxy: FaultyProxy;
  customer: Customer;
  /** Resolves when the shop is reachable. */
  whenReachable: () => Promise<void>;
  /** @throws when the screen makes a false statement */
  checkStatement: (text: string) => Promise<void>;
};

/** A customer in a tab of Chromium who retries until the purchase is complete. */
export class RetryingVisitor {
  readonly #page: Page;
  readonly #environment: VisitorEnvironment;
  readonly #errand: Errand;
  /** Presses every button twice. */
  readonly #isHasty: boolean;
  readonly #flow: string;
  readonly #extraSteps: string[] = [];
  readonly #pressedEvents = new Set<string>();
  #pendingNavigation: 'reload' | 'back' | null = null;

  constructor(page: Page, environment: VisitorEnvironment, errand: Errand, { isHasty = false } = {}) {
    this.#page = page;
    this.#environment = environment;
    this.#errand = errand;
    this.#isHasty = isHasty;
    this.#flow = parseRoute(new URL(errand.startPath, environment.proxy.origin)).flow;
  }

  /** Leaves the page while a call is pending. */
  leave(navigation: 'reload' | 'back'): void {
    this.#pendingNavigation = navigation;
  }

  /** Runs the errand to its end. @throws Error if it does not end */
  async run(): Promise<ShopperResult> {
    await this.#page.goto(new URL(PREVIOUS_PATH, this.#environment.proxy.origin).href);
    await this.#openFirstPage();
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const next = await this.#waitForAction();
      await this.#environment.whenReachable();
      if (next.do === 'end') return { screen: next.screen, extraSteps: [...this.#extraSteps] };
      await this.#perform(next);
    }
    throw new Error(`The errand has not ended after ${MAX_STEPS} steps: ${this.#extraSteps.join(', ')}`);
  }

  async #openFirstPage(): Promise<void> {
    await this.#page.goto(new URL(this.#errand.startPath, this.#environment.proxy.origin).href);
  }

  /** Waits until the page offers a next step, or the errand is complete. */
  async #waitForAction(): Promise<NextAction> {
    const deadline = performance.now() + MAX_BUSY_MS;
    let pageState: PageState | null = null;
    while (performance.now() < deadline) {
      if (this.#pendingNavigation !== null) await this.#leave(this.#pendingNavigation);
      pageState = await this.#tryReadPage();
      const next = pageState && this.#selectAction(pageState);
      if (pageState && next) {
        await this.#environment.checkStatement(pageState.text);
        return next;
      }
      await setTimeout(POLL_INTERVAL_MS);
    }
    const { path = 'nothing', states, text = '' } = pageState ?? {};
    throw new Error(`The page offers no next step after ${MAX_BUSY_MS} ms: ${path} ${JSON.stringify(states)} ${text}`);
  }

  /** Reads the page; null if it is being left, which may reject the call or delay it. */
  #tryReadPage(): Promise<PageState | null> {
    return Promise.race([this.#page.evaluate(readPage).catch(() => null), setTimeout(MAX_READ_MS, null, { ref: false })]);
  }

  async #leave(navigation: 'reload' | 'back'): Promise<void> {
    this.#pendingNavigation = null;
    this.#environment.proxy.stopFailing();
    this.#pressedEvents.clear();
    this.#extraSteps.push(navigation === 'reload' ? 'loaded the page again' : 'went back and returned');
    if (navigation === 'reload') await this.#page.reload();
    else await this.#page.goBack();
  }

  #selectAction(pageState: PageState): NextAction | null {
    if (pageState.origin !== this.#environment.proxy.origin) return pageState.hasCardForm ? { do: 'pay' } : null;
    const isIn = (flow: string, states: readonly string[] = []) =>
      pageState.states.some((each) => each.flow === flow && states.some((state) => matchesState(each.state, state.split('.'))));
    if (pageState.path.endsWith('/success') && isIn('receipt', ['shown', 'subscribed'])) return { do: 'end', screen: 'receipt' };
    const end = this.#errand.successStates?.find((state) => isIn(this.#flow, [state]));
    if (end !== undefined) return { do: 'end', screen: end };
    if (isIn(this.#flow, this.#errand.restartStates)) return { do: 'start again' };
    if (isIn('signIn', ['asking'])) return { do: 'sign in' };
    if (pageState.path === PREVIOUS_PATH) return { do: 'return' };
    const nextEvents = this.#errand.getNextEvents({ withCredits: pageState.withCredits });
    const event = nextEvents.find(({ type }) => pageState.events.includes(type))?.type;
    return event === undefined ? null : { do: 'press', event };
  }

  async #perform(next: Exclude<NextAction, { do: 'end' }>): Promise<void> {
    this.#environment.proxy.stopFailing();
    if (next.do === 'press') return this.#press(next.event);
    if (next.do === 'pay') return this.#pay();
    if (next.do === 'sign in') return this.#signIn();
    if (next.do === 'start again') this.#extraSteps.push('started again');
    this.#pressedEvents.clear();
    return this.#openFirstPage();
  }

  async #press(event: string): Promise<void> {
    const button = `main [data-event="${event}"]:not(:disabled, [aria-disabled=true])`;
    if (event === 'gift.submitted') {
      await this.#page.fill('main [name="name"]', 'Robin');
      await this.#page.fill('main [name="email"]', 'robin@example.com');
    }
    if (!(await this.#click(button))) return;
    // The button is pressed a second time, or is offered after an error.
    if (this.#pressedEvents.has(event) || /retry|status/.test(event)) this.#extraSteps.push(getExtraStepName(event));
    this.#pressedEvents.add(event);
  }

  /**
   * Clicks a button, twice for a hasty visitor. @returns whether it could be clicked within the
   * timeout
   */
  async #click(selector: string): Promise<boolean> {
    const button = this.#page.locator(selector).filter({ visible: true }).first();
    const clickOptions = { timeout: 10_000, noWaitAfter: true };
    return (this.#isHasty ? button.dblclick(clickOptions) : button.click(clickOptions)).then(
      () => true,
      () => false,
    );
  }

  async #pay(): Promise<void> {
    const card = { number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123', name: 'Ann Example' };
    for (const [name, value] of Object.entries(card)) await this.#page.fill(`input[name="${name}"]`, value);
    const frame = this.#page.mainFrame();
    // `waitForURL` rejects when a second press aborts the first one's navigation.
    const returnPromise = this.#page.waitForEvent('framenavigated', (navigated) => {
      return navigated === frame && new URL(navigated.url()).origin === this.#environment.proxy.origin;
    });
    await Promise.all([returnPromise, this.#click('form:has(input[name="number"]) button')]);
  }

  async #signIn(): Promise<void> {
    this.#extraSteps.push('signed in again');
    const form = 'main [data-flow="signIn"]';
    await this.#page.fill(`${form} [name="email"]`, this.#environment.customer.email);
    await this.#page.fill(`${form} [name="password"]`, password);
    await this.#click(`${form} [data-event="signIn.submitted"]`);
    // Until the event is handled, the form stays unchanged.
    await this.#page.waitForFunction(() => document.querySelector('[data-flow="signIn"][data-state*="asking"]') === null);
  }
}
