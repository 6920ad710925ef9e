import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { password, type Customer } from '../../../tools/browser/customer.ts';
import { routeOf } from '../../../machines/flows/routes.ts';
import { doneAgain, type Ending, type Errand } from '../shopper.ts';
import type { FaultyProxy } from './faulty-proxy.ts';

/** What there is to be seen on a page at a moment. */
type Seen = {
  origin: string;
  path: string;
  states: { flow: string; state: unknown }[];
  /** What can be pressed, by the names of events. */
  presses: string[];
  withCredits: boolean;
  hasCardForm: boolean;
  /** The words of the page, without its frame. */
  says: string;
};

// Runs in the page.
function look(): Seen {
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

/** Whether a state, as XState writes it, is the one of a name with dots, or within it. */
function isWithin(state: unknown, [first = '', ...rest]: readonly string[]): boolean {
  if (typeof state === 'string') return state === first && rest.length === 0;
  if (typeof state !== 'object' || state === null || !(first in state)) return false;
  return rest.length === 0 || isWithin(Reflect.get(state, first), rest);
}

type Next =
  | { do: 'end'; screen: string }
  | { do: 'press'; event: string }
  | { do: 'pay' | 'sign in' | 'begin again' | 'come again' };

/** Milliseconds between two looks at a page, for one of them, and in which it comes to rest: a page waits half a minute for an answer. */
const BETWEEN = 100;
const LONGEST_LOOK = 10_000;
const LONGEST_REST = 120_000;
const MOST_STEPS = 40;

/** Where a customer comes from, and Back leads to: what is quickly there. */
const BEFORE = '/robots.txt';

type World = {
  proxy: FaultyProxy;
  customer: Customer;
  /** Resolves when the shop can be reached. */
  isThere: () => Promise<void>;
  /** @throws where the screen says something that is not so */
  believes: (says: string) => Promise<void>;
};

/** A customer in a tab of Chromium, who does not give up: does what the screen offers until they have what they want. */
export class Visitor {
  readonly #page: Page;
  readonly #world: World;
  readonly #errand: Errand;
  /** Presses every button twice. */
  readonly #isHasty: boolean;
  readonly #flow: string;
  readonly #did: string[] = [];
  readonly #pressed = new Set<string>();
  #leaving: 'reload' | 'back' | null = null;

  constructor(page: Page, world: World, errand: Errand, { isHasty = false } = {}) {
    this.#page = page;
    this.#world = world;
    this.#errand = errand;
    this.#isHasty = isHasty;
    this.#flow = routeOf(new URL(errand.address, world.proxy.origin)).flow;
  }

  /** The page is left in the middle of what it does. */
  leaves(how: 'reload' | 'back'): void {
    this.#leaving = how;
  }

  /** Goes through with it. @throws Error where it comes to no end */
  async run(): Promise<Ending> {
    await this.#page.goto(new URL(BEFORE, this.#world.proxy.origin).href);
    await this.#begin();
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const next = await this.#rest();
      await this.#world.isThere();
      if (next.do === 'end') return { screen: next.screen, did: [...this.#did] };
      await this.#act(next);
    }
    throw new Error(`there was no end to it, after ${this.#did.join(', ')}`);
  }

  async #begin(): Promise<void> {
    await this.#page.goto(new URL(this.#errand.address, this.#world.proxy.origin).href);
  }

  /** Waits until there is something to do, or it is done. */
  async #rest(): Promise<Next> {
    const until = performance.now() + LONGEST_REST;
    let seen: Seen | null = null;
    while (performance.now() < until) {
      if (this.#leaving !== null) await this.#leave(this.#leaving);
      seen = await this.#look();
      const next = seen && this.#nextOf(seen);
      if (seen && next) {
        await this.#world.believes(seen.says);
        return next;
      }
      await setTimeout(BETWEEN);
    }
    throw new Error(`it came to no rest: ${seen?.path ?? 'nothing'} ${JSON.stringify(seen?.states)} ${seen?.says ?? ''}`);
  }

  /** A page that is about to be left answers nothing, or never. */
  #look(): Promise<Seen | null> {
    return Promise.race([this.#page.evaluate(look).catch(() => null), setTimeout(LONGEST_LOOK, null, { ref: false })]);
  }

  async #leave(how: 'reload' | 'back'): Promise<void> {
    this.#leaving = null;
    this.#world.proxy.mend();
    this.#pressed.clear();
    this.#did.push(how === 'reload' ? 'loaded the page again' : 'went back and came again');
    if (how === 'reload') await this.#page.reload();
    else await this.#page.goBack();
  }

  #nextOf(seen: Seen): Next | null {
    if (seen.origin !== this.#world.proxy.origin) return seen.hasCardForm ? { do: 'pay' } : null;
    const isIn = (flow: string, states: readonly string[] = []) =>
      seen.states.some((each) => each.flow === flow && states.some((state) => isWithin(each.state, state.split('.'))));
    if (seen.path.endsWith('/success') && isIn('receipt', ['shown', 'subscribed'])) return { do: 'end', screen: 'welcomed' };
    const end = this.#errand.ends?.find((state) => isIn(this.#flow, [state]));
    if (end !== undefined) return { do: 'end', screen: end };
    if (isIn(this.#flow, this.#errand.leadsBack)) return { do: 'begin again' };
    if (isIn('signIn', ['asking'])) return { do: 'sign in' };
    if (seen.path === BEFORE) return { do: 'come again' };
    const wanted = this.#errand.presses({ withCredits: seen.withCredits });
    const event = wanted.find(({ type }) => seen.presses.includes(type))?.type;
    return event === undefined ? null : { do: 'press', event };
  }

  async #act(next: Exclude<Next, { do: 'end' }>): Promise<void> {
    this.#world.proxy.mend();
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
    // Pressed a second time, or offered because something went wrong.
    if (this.#pressed.has(event) || /retry|status/.test(event)) this.#did.push(doneAgain(event));
    this.#pressed.add(event);
  }

  /** @returns whether it was there still */
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
    // Until it is heard, the form stands there as it is.
    await this.#page.waitForFunction(() => document.querySelector('[data-flow="signIn"][data-state*="asking"]') === null);
  }
}
