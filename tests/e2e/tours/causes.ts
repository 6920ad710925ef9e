import { type Page, expect } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import { Customer } from '../pages/customer.ts';
import type { World } from './stage.ts';

/** Another tab of the same browser, in which storage can be changed; the shop gets the same events as from its own other tabs. */
const inOtherTab = async ({ context, shop }: World, kept: Record<string, string> | null): Promise<void> => {
  const tab = await context.newPage();
  await tab.goto(`${shop.url}/favicon.svg`);
  await tab.evaluate((values) => {
    if (values === null) for (const name of ['id_token', 'userid', 'emailid']) localStorage.removeItem(name);
    else for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
  }, kept);
  await tab.close();
};

/** Signing in or out in another tab, as a real customer of the server; `before` runs first. */
export const inOtherTabSession = async (
  world: World,
  event: AnyEventObject,
  before: (customer: Customer) => Promise<unknown> = async () => {},
): Promise<void> => {
  if ((event['userId'] ?? null) === null) return inOtherTab(world, null);
  const customer = await Customer.signUp(world.shop);
  await before(customer);
  await inOtherTab(world, { userid: customer.userId, emailid: customer.email, id_token: customer.token });
};

/** The next settlement of a port that the tour has before it, or null. */
export const nextOf = ({ ahead }: World, port: string): AnyEventObject | null => {
  const settles = new RegExp(`^xstate\\.(done|error)\\.actor\\.${port}$`);
  return ahead.map(({ event }) => event).find(({ type }) => settles.test(type)) ?? null;
};

/** Back to an address, as if the customer had been there before. */
export const backTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    history.pushState(null, '', '/about');
    history.back();
  }, path);

/** Stops the page's clock; tries again when the time to stop at has already passed. */
export const stopTime = ({ page }: World): Promise<void> =>
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500)).toPass();
