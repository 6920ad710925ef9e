import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Page object of the shop: finds elements by `data-flow`, `data-state` and `data-event`, and by
 * visible text.
 */
export class ShopPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  flow(name: string): Locator {
    return this.page.locator(`[data-flow="${name}"]`);
  }

  /** The element that sends an event, in the given flow or anywhere. */
  control(event: string, within: Page | Locator = this.page): Locator {
    return within.locator(`[data-event="${event}"]`).first();
  }

  /** Waits until a flow is in a state, given as XState's state value. */
  async waitForState(flow: string, state: unknown): Promise<void> {
    await expect(this.flow(flow).first()).toHaveAttribute('data-state', JSON.stringify(state));
  }

  async openTitle(name: string): Promise<void> {
    await this.page.getByRole('link', { name }).first().click();
    await expect(this.page.getByRole('heading', { level: 1, name })).toBeVisible();
  }

  async signUp(email: string, password = 'harbour light 22'): Promise<void> {
    const form = this.flow('signUp');
    await form.locator('[name="name"]').fill('A Reader');
    await form.locator('[name="email"]').fill(email);
    await form.locator('[name="password"]').fill(password);
    await form.locator('[name="agree"]').check();
    await this.control('signUp.submitted', form).click();
  }

  async signIn(email: string, password = 'harbour light 22'): Promise<void> {
    const form = this.flow('signIn');
    await form.locator('[name="email"]').fill(email);
    await form.locator('[name="password"]').fill(password);
    await this.control('signIn.submitted', form).click();
  }

  /** Fills in the card form of the gateway's own page, in English or French. */
  async fillInCard(number = '4242 4242 4242 4242'): Promise<void> {
    await this.page.getByLabel(/card number|numéro de carte/i).fill(number);
    await this.page.getByLabel(/expir/i).fill('12/34');
    await this.page.getByLabel(/security code|cvc|code de sécurité/i).fill('123');
    await this.page.getByLabel(/name on|nom sur/i).fill('A Reader');
  }

  /** Fills in and submits the gateway's own page, which charges the card or saves it. */
  async payByCard(number?: string): Promise<void> {
    await this.fillInCard(number);
    await this.page.getByRole('button', { name: /^(Pay|Save|Subscribe)/ }).click();
  }

  /** The slider's position in the whole book, 0 to 1, as the bar shows it. */
  async readProgress(): Promise<number> {
    const slider = this.flow('book').getByRole('slider').first();
    return Number(await slider.inputValue());
  }

  /** Turns `count` pages of the open book. @returns the position in the book afterwards, 0 to 1 */
  async turnPages(count: number): Promise<number> {
    const next = this.page.getByRole('button', { name: /next page/i });
    for (let turn = 0; turn < count; turn += 1) {
      const previousProgress = await this.readProgress();
      await next.click();
      await expect.poll(() => this.readProgress()).toBeGreaterThan(previousProgress);
    }
    return this.readProgress();
  }
}

let emailCount = 0;

/** An e-mail address that no other test of this run uses. */
export const createEmail = (): string => `reader-${process.pid}-${Date.now()}-${(emailCount += 1)}@example.com`;
