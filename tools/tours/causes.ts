import { readRecordedTrace } from '../browser/recorded-trace.ts';
import { expect, type Page } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import { Customer } from '../browser/customer.ts';
import { wakeFrame } from '../browser/frame.ts';
import { ShopPage } from '../browser/shop.ts';
import type { WalkContext } from './browser-adapter.ts';

/**
 * Changes storage in another tab of the same browser; the shop receives the same events as from its
 * own tabs.
 */
const openOtherTab = async ({ context, shop }: WalkContext, kept: Record<string, string> | null): Promise<void> => {
  const tab = await context.newPage();
  await tab.goto(`${shop.url}/favicon.svg`);
  await tab.evaluate((values) => {
    if (values === null) for (const name of ['id_token', 'userid', 'emailid']) localStorage.removeItem(name);
    else for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
  }, kept);
  await tab.close();
};

/** Signs a real customer in or out in another tab; `before` runs first. */
export const changeOtherTabSession = async (
  world: WalkContext,
  event: AnyEventObject,
  before: (customer: Customer) => Promise<unknown> = async () => {},
): Promise<void> => {
  if ((event['userId'] ?? null) === null) return openOtherTab(world, null);
  const customer = await Customer.signUp(world.shop);
  await before(customer);
  await openOtherTab(world, { userid: customer.userId, emailid: customer.email, id_token: customer.token });
};

/** Notifies the shop, as from another tab, of a change to shared data. */
const createStorageChange =
  (name: string) =>
  async ({ context, shop }: WalkContext): Promise<void> => {
    const tab = await context.newPage();
    await tab.goto(`${shop.url}/favicon.svg`);
    await tab.evaluate((channel) => new BroadcastChannel(channel).postMessage('another tab'), name);
    await tab.close();
  };

export const changeWishesElsewhere = createStorageChange('colophon.wishes');
export const changeCartElsewhere = createStorageChange('colophon.cart');
export const changeCreditsElsewhere = createStorageChange('colophon.credits');

/** The next settlement of a port in the walk, or null. */
export const getNextSettlement = ({ ahead }: WalkContext, port: string): AnyEventObject | null => {
  const settles = new RegExp(`^xstate\\.(done|error)\\.actor\\.${port}$`);
  return ahead.map(({ event }) => event).find(({ type }) => settles.test(type)) ?? null;
};

/** Goes back to an address, as if the customer had visited it before. */
export const goBackTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    history.pushState(null, '', '/about');
    history.back();
  }, path);

/** Pauses the page's clock; retries if the time to pause at has already passed. */
export const pauseClock = ({ page }: WalkContext): Promise<void> =>
  expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500)).toPass();

/** The look selects, which are in a closed menu and load with the frame. */
const getBackgroundSelect = (page: Page) => page.locator('header select[name="background"]');

/**
 * User activity, and the idle callback after it, in which the frame is loaded; for a page whose
 * clock is paused.
 */
export const wakeFrameWithPausedClock = async ({ page }: { page: Page }): Promise<void> => {
  await page.keyboard.press('Shift');
  await page.clock.runFor(3_000);
};

/** Waits for the frame, which loads after user activity, or shortly after the first screen. */
export const waitForFrame = async ({ page }: { page: Page }): Promise<void> => expect(getBackgroundSelect(page)).toBeAttached();

/** User activity and the frame that it loads, while the clock runs. */
export const wakeAndWaitForFrame = async (world: WalkContext): Promise<void> => {
  await wakeFrame(world.page);
  await waitForFrame(world);
};

/**
 * Selects another language, then English: the texts are the same as before, but were requested
 * again.
 * @param answer responds to the requests of each selection if the walk holds them
 */
export const chooseLanguages = async (world: WalkContext, answer = async (): Promise<void> => {}): Promise<void> => {
  const { page } = world;
  await expect(async () => {
    if ((await getBackgroundSelect(page).count()) > 0) return;
    await wakeFrameWithPausedClock(world);
    await expect(getBackgroundSelect(page)).toBeAttached({ timeout: 500 });
  }).toPass();
  for (const locale of ['fr', 'en']) {
    await page.locator('[data-event="language.chosen"]').selectOption(locale);
    await answer();
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
  }
};

/**
 * Covers or minimises the window. A headless browser has no window, so the page only receives the
 * event.
 */
export const hideWindow = async ({ page, injected }: WalkContext): Promise<void> => {
  injected('a hidden window');
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'visibilityState');
  });
};

/** Returns from another site to the page in the back/forward cache. */
export const returnToPage = async ({ page, injected }: WalkContext): Promise<void> => {
  injected('a page restored from the back/forward cache');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
};

/**
 * Answers the gateway with 204 No Content, so that the browser stays on the shop's page while it is
 * leaving.
 */
export const stubGateway = async ({ page, shop }: WalkContext): Promise<void> => {
  const gateway = String(Number(new URL(shop.url).port) + 1);
  await page.route(
    (url) => url.port === gateway,
    (route) => route.fulfill({ status: 204 }),
  );
};

/** From now on, writes to and removals from localStorage fail. */
export const blockStorage = async (world: WalkContext): Promise<void> => {
  world.injected('a storage that refuses writes');
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

/**
 * Presses Pay, unless the action from before sign-in has resumed by itself, and waits for a state
 * of the payment.
 */
export const pay = async ({ page }: WalkContext, until: string): Promise<void> => {
  const button = page.locator('[data-event="pay.pressed"]');
  const payment = page.locator('[data-flow="payment"]');
  await expect(button.or(payment)).toBeVisible();
  if (await button.isVisible()) await button.click();
  await new ShopPage(page).waitForState('payment', until);
};

/** The trace has been written so far: the page is about to be left. */
export const waitForRecorder = async ({ page }: WalkContext): Promise<void> => {
  // The recorder is loaded on the first user activity.
  await page.keyboard.press('Shift');
  await expect.poll(() => readRecordedTrace(page)).not.toBeNull();
};

/**
 * Waits for the flow's screen and for the recorder: the page may be left before the recorder loads
 * by itself.
 */
export const waitForFlowAndRecorder = async (world: WalkContext): Promise<void> => {
  await world.flow.waitFor();
  await waitForRecorder(world);
};

/** Like `isRecorded`, for a page whose clock is paused: writing needs time. */
export const waitForRecorderWithPausedClock = async ({ page }: WalkContext): Promise<void> => {
  await page.keyboard.press('Shift');
  await expect(async () => {
    await page.clock.runFor(500);
    expect(await readRecordedTrace(page)).not.toBeNull();
  }).toPass();
};
