import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { createEmail, ShopPage } from '../../../../tools/browser/shop.ts';
import { watchErrors, type PageErrors } from '../errors.ts';
import {
  startSpecificationServer,
  wrongAnswers,
  type SpecificationServerOptions,
  type SpecificationServer,
  type WrongAnswer,
} from './server.ts';
import type { Customer } from './state.ts';

export const password = 'harbour light 22';

type Fixtures = {
  /** the server's answer to any call beyond the specification */
  beyond: WrongAnswer;
  /** other settings of the server */
  special: Omit<SpecificationServerOptions, 'beyond'>;
  server: SpecificationServer;
  shop: ShopPage;
  errors: PageErrors;
};

/** The built page on a server that implements the specification alone. */
export const test = base.extend<Fixtures>({
  beyond: ['not found', { option: true }],
  special: [{}, { option: true }],
  server: async ({ beyond, special }, use) => {
    const server = await startSpecificationServer({ beyond, ...special });
    await use(server);
    await server.close();
  },
  baseURL: async ({ server }, use) => use(server.url),
  context: async ({ context, beyond }, use) => {
    // The page waits for an answer that never arrives until its timeout: here a tenth of the usual
    // one.
    if (beyond === 'nothing')
      await context.addInitScript(() => {
        const limit = AbortSignal.timeout.bind(AbortSignal);
        AbortSignal.timeout = (milliseconds) => limit(milliseconds / 10);
      });
    await use(context);
  },
  shop: async ({ page }, use) => use(new ShopPage(page)),
  errors: [
    async ({ context }, use) => {
      const errors = watchErrors(context);
      errors.allow(/status of (?:404|500)/);
      await use(errors);
      expect(errors.left(), 'errors of the page that no test allowed').toEqual([]);
    },
    { auto: true },
  ],
});

type TestBody = Parameters<typeof test>[2];

/** A story that is run once with each wrong answer to calls beyond the specification. */
export const testWithEachAnswer = (name: string, story: TestBody): void => {
  for (const beyond of wrongAnswers)
    test.describe(`if any other call is answered with ${beyond}`, () => {
      test.use({ beyond });
      test(name, story);
    });
};

/** A customer of the server. */
export const newCustomer = ({ state }: SpecificationServer): Customer => state.signUp(createEmail(), password, 'A Reader');

/** Signs a customer in in the browser. */
export const signIn = async (browser: Page | BrowserContext, server: SpecificationServer, customer: Customer): Promise<void> => {
  const token = server.state.begin(customer);
  const items = { id_token: token, userid: customer.id, emailid: customer.email };
  await browser.addInitScript((kept) => {
    // The frames of titles have no storage.
    if (window !== window.top) return;
    for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, value);
  }, items);
};

/** A customer who is signed in in the browser. */
export const signInNewCustomer = async (page: Page, server: SpecificationServer): Promise<Customer> => {
  const customer = newCustomer(server);
  await signIn(page, server, customer);
  return customer;
};

/** A gift for another reader, as calls carry it. */
export const gift = { RecipientName: 'Bo Quay', RecipientEmail: 'bo@example.com', RecipientMessage: 'Mind the ice!' };

/** Fills in the gift, and opens its e-mail. */
export const writeGift = async (shop: ShopPage): Promise<void> => {
  await shop.waitForState('purchase', 'writing');
  await shop.flow('purchase').locator('[name="name"]').fill(gift.RecipientName);
  await shop.flow('purchase').locator('[name="email"]').fill(gift.RecipientEmail);
  await shop.flow('purchase').locator('[name="message"]').fill(gift.RecipientMessage);
  await shop.control('gift.submitted').click();
  await shop.waitForState('purchase', 'ready');
};

/** Pays on the gateway’s page. */
export const pressPay = async (page: Page): Promise<void> => page.getByRole('button', { name: 'Pay' }).click();

/** The query of the last request of a call. */
export const findQuery = ({ asked }: SpecificationServer, call: string): Record<string, string> | undefined =>
  asked.findLast((each) => each.call === call)?.query;

export { expect };
