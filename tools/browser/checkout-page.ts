import { expect, type Locator, type Page } from '@playwright/test';
import { ShopPage } from './shop.ts';

/**
 * Page object of a purchase in the browser: the summary, the gateway's own pages, and the result.
 */
export class CheckoutPage {
  readonly page: Page;
  readonly shop: ShopPage;

  constructor(page: Page) {
    this.page = page;
    this.shop = new ShopPage(page);
  }

  /** Goes from the summary of a title to the gateway's card form. */
  async openCardForm(titleId: string): Promise<void> {
    await this.page.goto(`/title/purchase?titleid=${titleId}`);
    await this.shop.waitForState('purchase', 'ready');
    await this.shop.control('pay.pressed').click();
    await this.waitForGateway();
  }

  async waitForGateway(): Promise<void> {
    await expect(this.page.getByLabel('Card number')).toBeVisible();
  }

  get errorMessage(): Locator {
    return this.page.getByRole('alert');
  }

  async answerBank(answer: 'Approve' | 'Decline'): Promise<void> {
    await this.page.getByRole('button', { name: answer, exact: true }).click();
  }

  async cancelAtGateway(): Promise<void> {
    await this.page.getByRole('button', { name: 'Cancel and go back' }).click();
  }

  /**
   * Waits for the success page, for as long as the shop retries after a lost response.
   * @returns the transaction's id
   */
  async waitForReceipt(): Promise<string> {
    await expect(this.shop.flow('receipt')).toHaveAttribute('data-state', '"shown"', { timeout: 20_000 });
    return new URL(this.page.url()).searchParams.get('transId') ?? '';
  }

  /** Waits for a state of the `payment` machine. */
  async waitForPaymentState(state: string): Promise<void> {
    await this.shop.waitForState('payment', state);
  }
}
