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
  wrongAnswer: WrongAnswer;
  /** other settings of the server */
  serverOptions: Omit<SpecificationServerOptions, 'wrongAnswer'>;
  server: SpecificationServer;
  shop: ShopPage;
  errors: PageErrors;
};

/** The built page on a server that implements the specification alone. */
export const test = base.extend<Fixtures>({
  wrongAnswer: ['not found', { option: true }],
  serverOptions: [{}, { option: true }],
  server: async ({ wrongAnswer, serverOptions }, use) => {
    const server = await startSpecificationServer({ wrongAnswer, ...serverOptions });
    await use(server);
    await server.close();
  },
  baseURL: async ({ server }, use) => use(server.url),
  context: async ({ context, wrongAnswer }, use) => {
    // The page waits for an answer that never arrives until its timeout, which is a tenth of the
    // usual one here.
    if (wrongAnswer === 'nothing')
      await context.addInitScript(() => {
        const originalTimeout = AbortSignal.timeout.bind(AbortSignal);
        AbortSignal.timeout = (milliseconds) => originalTimeout(milliseconds / 10);
      });
    await use(context);
  },
  shop: async ({ page }, use) => use(new ShopPage(page)),
  errors: [
    async ({ context }, use) => {
      const errors = watchErrors(context);
      errors.allow(/status of (?:404|500)/);
      await use(errors);
      expect(errors.getUnexpected(), 'errors of the page that no test allowed').toEqual([]);
    },
    { auto: true },
  ],
});

type TestBody = Parameters<typeof test>[2];

/** Declares a test for each wrong answer to calls beyond the specification. */
export const testWithEachWrongAnswer = (name: string, story: TestBody): void => {
  for (const wrongAnswer of wrongAnswers)
    test.describe(`if calls beyond the specification are answered with ${wrongAnswer}`, () => {
      test.use({ wrongAnswer });
      test(name, story);
    });
};

/** Creates a customer of the server. */
export const createCustomer = ({ state }: SpecificationServer): Customer => state.signUp(createEmail(), password, 'A Reader');

/** Signs a customer in in the browser. */
export const signIn = async (browser: Page | BrowserContext, server: SpecificationServer, customer: Customer): Promise<void> => {
  const token = server.state.startSession(customer);
  const items = { id_token: token, userid: customer.id, emailid: customer.email };
  await browser.addInitScript((storedItems) => {
    // The frames of titles have no storage.
    if (window !== window.top) return;
    for (const [name, value] of Object.entries(storedItems)) localStorage.setItem(name, value);
  }, items);
};

/** Creates a customer of the server and signs this customer in in the browser. */
export const signInNewCustomer = async (page: Page, server: SpecificationServer): Promise<Customer> => {
  const customer = createCustomer(server);
  await signIn(page, server, customer);
  return customer;
};

/** A gift for another reader, by the names of the call's fields. */
export const gift = { RecipientName: 'Bo Quay', RecipientEmail: 'bo@example.com', RecipientMessage: 'Mind the ice!' };

/** Fills in and submits the form of a gift, and waits for the summary. */
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

/** The query of the last request of a call; undefined if the page has not made the call. */
export const findQuery = ({ receivedCalls }: SpecificationServer, call: string): Record<string, string> | undefined =>
  receivedCalls.findLast((each) => each.call === call)?.query;

export { expect };
