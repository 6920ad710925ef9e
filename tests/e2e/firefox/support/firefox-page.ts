import type { ElementHandle, Page } from 'puppeteer-core';
import { expect } from 'vitest';
import type { Customer } from '../../../../tools/browser/customer.ts';

/**
 * Whether an element can be pressed: visible, enabled, and at the same position for a frame. Runs
 * in the page.
 */
async function isPressable(element: Element): Promise<boolean> {
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const boxBefore = element.getBoundingClientRect();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { x, y, width, height } = element.getBoundingClientRect();
  const isStill = x === boxBefore.x && y === boxBefore.y && width > 0 && height > 0;
  return isStill && element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled');
}

/**
 * A page of the shop in Firefox, used by `data-flow`, `data-state` and `data-event`, as `ShopPage`
 * is in Chromium. It has its own polling: puppeteer's `waitForFunction` and locators evaluate text
 * in the page, which the shop's Content-Security-Policy refuses.
 */
export class FirefoxPage {
  readonly page: Page;
  readonly shopUrl: string;

  constructor(page: Page, shopUrl: string) {
    this.page = page;
    this.shopUrl = shopUrl;
  }

  async open(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.shopUrl).href);
  }

  /** Stores the customer's session in the browser. */
  async signInAs(customer: Customer): Promise<void> {
    await this.open('/favicon.svg');
    await this.page.evaluate((items) => Object.assign(localStorage, items), customer.getStorageItems());
  }

  /** Buys a title for the signed-in customer, and opens it in the viewer. */
  async buyAndOpen(customer: Customer, titleId: string): Promise<void> {
    await customer.buy(titleId);
    await this.open(`/viewer?instanceid=${await customer.fetchInstanceId(titleId)}`);
  }

  private async waitForPressable(selector: string): Promise<ElementHandle<Element>> {
    let element: ElementHandle<Element> | null = null;
    const isReady = async (): Promise<boolean> => {
      element = await this.page.$(selector);
      return element !== null && element.evaluate(isPressable);
    };
    await expect.poll(isReady, { message: `${selector} can be pressed` }).toBe(true);
    return element as unknown as ElementHandle<Element>;
  }

  /** Clicks the first element that matches, once it can be pressed. */
  async click(selector: string): Promise<void> {
    await (await this.waitForPressable(selector)).click();
  }

  /** Presses the first element that sends an event, or the first with the `value`. */
  press(event: string, value?: string): Promise<void> {
    const valueSelector = value === undefined ? '' : `[data-value="${value}"]`;
    return this.click(`[data-event="${event}"]${valueSelector}`);
  }

  followLink(link: string): Promise<void> {
    return this.click(`::-p-aria([name="${link}"][role="link"])`);
  }

  /** Types into an empty field. */
  async fill(selector: string, text: string): Promise<void> {
    await this.click(selector);
    await this.page.keyboard.type(text);
  }

  /** Pays on the gateway's page. */
  async payByCard(number = '4242 4242 4242 4242'): Promise<void> {
    await this.fill('[name="number"]', number);
    await this.fill('[name="expiry"]', '12/34');
    await this.fill('[name="cvc"]', '123');
    await this.fill('[name="name"]', 'A Reader');
    await this.click('form button:not(.quiet)');
  }

  /** Waits until a flow is in a state; parallel and nested states are written as in XState. */
  async waitForState(flow: string, state: unknown): Promise<void> {
    const readState = () => this.page.$eval(`[data-flow="${flow}"]`, (element) => element.getAttribute('data-state'));
    await expect.poll(readState, { message: `the state of ${flow}` }).toBe(JSON.stringify(state));
  }

  /** Waits until the address has this path. */
  async waitForPath(path: string): Promise<void> {
    await expect.poll(() => this.page.evaluate(() => location.pathname)).toBe(path);
  }

  /** Reads the visible text of all elements that match, one a line. */
  readText(selector: string): Promise<string> {
    return this.page.$$eval(selector, (elements) => elements.map((each) => (each as HTMLElement).innerText).join('\n'));
  }

  /** Reads the value of a slider. */
  readSlider(selector: string): Promise<number> {
    return this.page.$eval(selector, (element) => Number((element as HTMLInputElement).value));
  }
}
