import { expect, test as base } from '../support/shop.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { CheckoutPage } from '../../../tools/browser/checkout-page.ts';

/** Stories of a signed-in customer of the shared shop, who is checking out. */
export const test = base.extend<{ customer: Customer; checkoutPage: CheckoutPage }>({
  customer: async ({ shop, context }, use) => {
    const customer = await Customer.signUp(shop);
    await customer.uses(context);
    await use(customer);
  },
  checkoutPage: async ({ page }, use) => use(new CheckoutPage(page)),
});

/** The title was bought once, for money taken once. */
export async function hasBoughtOnce(customer: Customer, titleId: string, transId: string): Promise<void> {
  expect(await customer.library()).toEqual([titleId]);
  expect(await customer.charges()).toBe(1);
  expect(await customer.receipt(transId)).toMatchObject({ transId, titleId, currency: 'USD' });
}

export { expect };
