import { recordedTrace } from '../browser/recorded-trace.ts';
import { expect, type Page } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import { Customer } from '../browser/customer.ts';
import { wakeFrame } from '../browser/frame.ts';
import { ShopPage } from '../browser/shop.ts';
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

/** Another tab says that it has changed what the browser's tabs share. */
const changesElsewhere =
  (name: string) =>
  async ({ context, shop }: World): Promise<void> => {
    const tab = await context.newPage();
    await tab.goto(`${shop.url}/favicon.svg`);
    await tab.evaluate((channel) => new BroadcastChannel(channel).postMessage('another tab'), name);
    await tab.close();
  };

export const wishesChangeElsewhere = changesElsewhere('colophon.wishes');
export const cartChangesElsewhere = changesElsewhere('colophon.cart');
export const creditsChangeElsewhere = changesElsewhere('colophon.credits');

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

/** The choices of the look, which come with the frame, in a menu that is closed. */
const choices = (page: Page) => page.locator('header select[name="background"]');

/** A sign of life, and the idle moment after it, in which the frame is fetched; for a page whose time stands still. */
export const wakeFrameInStoppedTime = async ({ page }: { page: Page }): Promise<void> => {
  await page.keyboard.press('Shift');
  await page.clock.runFor(3_000);
};

/** Waits for the frame, which is fetched after a sign of life, or when the first screen has stood for a moment. */
export const frameStands = async ({ page }: { page: Page }): Promise<void> => expect(choices(page)).toBeAttached();

/** A sign of life, and the frame that follows, while time goes on. */
export const frameArrives = async (world: World): Promise<void> => {
  await wakeFrame(world.page);
  await frameStands(world);
};

/**
 * Chooses another language, and English again: what is said is the same as before, but has been asked for anew.
 * @param answer gives what each choice asks for, where the tour holds it
 */
export const chooseLanguages = async (world: World, answer = async (): Promise<void> => {}): Promise<void> => {
  const { page } = world;
  await expect(async () => {
    if ((await choices(page).count()) > 0) return;
    await wakeFrameInStoppedTime(world);
    await expect(choices(page)).toBeAttached({ timeout: 500 });
  }).toPass();
  for (const locale of ['fr', 'en']) {
    await page.locator('[data-event="language.chosen"]').selectOption(locale);
    await answer();
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
  }
};

/** The window is covered or minimised. A headless browser has no window, so the page is only told that it is hidden. */
export const hideWindow = async ({ page, injected }: World): Promise<void> => {
  injected('a window that is hidden');
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'visibilityState');
  });
};

/** The customer is back from another site, and the page comes out of the browser's memory as it was left. */
export const returnToPage = async ({ page, injected }: World): Promise<void> => {
  injected('a page that comes back out of the browser’s memory');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
};

/** The gateway has nothing to show: the shop's page stays where it is, as it does while it is being left. */
export const stubGateway = async ({ page, shop }: World): Promise<void> => {
  const gateway = String(Number(new URL(shop.url).port) + 1);
  await page.route(
    (url) => url.port === gateway,
    (route) => route.fulfill({ status: 204 }),
  );
};

/** A browser that from now on lets nothing be written to its lasting storage and nothing be removed. */
export const refuseStorage = async (world: World): Promise<void> => {
  world.injected('a storage that refuses to be written');
  await world.page.evaluate(() => {
    const { setItem, removeItem } = Storage.prototype;
    const check = (storage: Storage) => {
      if (storage === localStorage) throw new DOMException('The storage cannot be written.', 'QuotaExceededError');
    };
    Storage.prototype.setItem = function (this: Storage, key, value) {
      check(this);
      setItem.call(this, key, value);
    };
    Storage.prototype.removeItem = function (this: Storage, key) {
      check(this);
      removeItem.call(this, key);
    };
  });
};

/** Presses Pay, unless what was wanted before signing in has been taken up already, and waits for that state of the payment. */
export const pay = async ({ page }: World, until: string): Promise<void> => {
  const button = page.locator('[data-event="pay.pressed"]');
  const payment = page.locator('[data-flow="payment"]');
  await expect(button.or(payment)).toBeVisible();
  if (await button.isVisible()) await button.click();
  await new ShopPage(page).isIn('payment', until);
};

/** The page has written down what happened so far: it is about to be left. */
export const isRecorded = async ({ page }: World): Promise<void> => {
  // The recorder comes when somebody presses something.
  await page.keyboard.press('Shift');
  await expect.poll(() => recordedTrace(page)).not.toBeNull();
};

/** The screen of a flow stands, and is recorded: what leads away from it may come sooner than the recorder comes by itself. */
export const standsRecorded = async (world: World): Promise<void> => {
  await world.flow.waitFor();
  await isRecorded(world);
};

/** The same as `isRecorded` for a page whose time stands still: to write takes time, too. */
export const isRecordedInStoppedTime = async ({ page }: World): Promise<void> => {
  await page.keyboard.press('Shift');
  await expect(async () => {
    await page.clock.runFor(500);
    expect(await recordedTrace(page)).not.toBeNull();
  }).toPass();
};
