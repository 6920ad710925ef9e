import { expect, test as base } from '../support/shop.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { CheckoutPage } from '../../../tools/browser/checkout-page.ts';

/** The `test` of stories with a signed-in customer at the checkout of the shared shop. */
export const test = base.extend<{ customer: Customer; checkoutPage: CheckoutPage }>({
  customer: async ({ shop, context }, use) => {
    const customer = await Customer.signUp(shop);
    await customer.signInBrowser(context);
    await use(customer);
  },
  checkoutPage: async ({ page }, use) => use(new CheckoutPage(page)),
});

/** Expects that the title was bought once and charged once. */
export async function expectBoughtOnce(customer: Customer, titleId: string, transId: string): Promise<void> {
  expect(await customer.fetchLibrary()).toEqual([titleId]);
  expect(await customer.countCharges()).toBe(1);
  expect(await customer.fetchReceipt(transId)).toMatchObject({ transId, titleId, currency: 'USD' });
}

export { expect };
