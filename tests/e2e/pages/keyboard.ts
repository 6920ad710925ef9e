import { expect, type Locator, type Page } from '@playwright/test';

/** More tab stops than any page of the shop has. */
const MAX_TAB_STOPS = 120;

/** A customer without a mouse: reaches controls by the Tab key and presses them. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Tabs, or with Shift tabs back, until `target` has the focus. */
  async reach(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await expect(target).toBeVisible();
    for (let stops = 0; stops < MAX_TAB_STOPS; stops += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`${key} does not reach ${target.toString()} within ${MAX_TAB_STOPS} stops.`);
  }

  async press(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    await expect(target).toBeEnabled();
    await this.reach(target);
    await this.page.keyboard.press(key);
  }

  async type(target: Locator, text: string): Promise<void> {
    await this.reach(target);
    await this.page.keyboard.type(text);
  }
}
