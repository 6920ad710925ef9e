import { readRecordedTrace } from '../browser/recorded-trace.ts';
import { expect, type Page } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import { Customer } from '../browser/customer.ts';
import { wakeFrame } from '../browser/frame.ts';
import { ShopPage } from '../browser/shop.ts';
import type { WalkContext } from './browser-adapter.ts';

/**
 * Stores a session in localStorage from another tab of the same browser, or removes it if `session`
 * is null; the shop receives the same events as from its own tabs.
 */
const changeStoredSession = async ({ context, shop }: WalkContext, session: Record<string, string> | null): Promise<void> => {
  const tab = await context.newPage();
  await tab.goto(`${shop.url}/favicon.svg`);
  await tab.evaluate((values) => {
    if (values === null) for (const name of ['id_token', 'userid', 'emailid']) localStorage.removeItem(name);
    else for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
  }, session);
  await tab.close();
};

/**
 * Signs a new customer in, or the current one out, in another tab; `prepareCustomer` runs before
 * the sign-in.
 */
export const changeOtherTabSession = async (
  walk: WalkContext,
  event: AnyEventObject,
  prepareCustomer: (customer: Customer) => Promise<unknown> = async () => {},
): Promise<void> => {
  if ((event['userId'] ?? null) === null) return changeStoredSession(walk, null);
  const customer = await Customer.signUp(walk.shop);
  await prepareCustomer(customer);
  await changeStoredSession(walk, { userid: customer.userId, emailid: customer.email, id_token: customer.token });
};

/** Creates a cause that notifies the shop, as from another tab, of a change to shared data. */
const createElsewhereChange =
  (channelName: string) =>
  async ({ context, shop }: WalkContext): Promise<void> => {
    const tab = await context.newPage();
    await tab.goto(`${shop.url}/favicon.svg`);
    await tab.evaluate((channel) => new BroadcastChannel(channel).postMessage('another tab'), channelName);
    await tab.close();
  };

export const changeWishesElsewhere = createElsewhereChange('colophon.wishes');
export const changeCartElsewhere = createElsewhereChange('colophon.cart');
export const changeCreditsElsewhere = createElsewhereChange('colophon.credits');

/** Returns the next event of the walk that settles the port, or null. */
export const getNextSettlement = ({ remainingSteps }: WalkContext, port: string): AnyEventObject | null => {
  const settlementPattern = new RegExp(`^xstate\\.(done|error)\\.actor\\.${port}$`);
  return remainingSteps.map(({ event }) => event).find(({ type }) => settlementPattern.test(type)) ?? null;
};

/** Returns the port's next output in the walk; undefined if it fails next or does not settle. */
export const getNextOutput = (walk: WalkContext, port: string): unknown => getNextSettlement(walk, port)?.['output'];

/** Goes back to an address, as if the customer had visited it before. */
export const goBackTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((target) => {
    history.pushState(null, '', target);
    history.pushState(null, '', '/about');
    history.back();
  }, path);

/** Returns the select for the background, which is in a closed menu and loads with the frame. */
const getBackgroundSelect = (page: Page) => page.locator('header select[name="background"]');

/**
 * Simulates user activity and lets the idle callback after it run, in which the frame is loaded;
 * for a page whose clock is paused.
 */
export const wakeFrameWithPausedClock = async ({ page }: { page: Page }): Promise<void> => {
  await page.keyboard.press('Shift');
  await page.clock.runFor(3_000);
};

/** Waits for the frame, which loads after user activity, or shortly after the first screen. */
export const waitForFrame = async ({ page }: { page: Page }): Promise<void> => expect(getBackgroundSelect(page)).toBeAttached();

/** Simulates user activity and waits for the frame that it loads; for a page whose clock runs. */
export const wakeAndWaitForFrame = async (walk: WalkContext): Promise<void> => {
  await wakeFrame(walk.page);
  await waitForFrame(walk);
};

/**
 * Selects another language, then English again, so that the texts stay the same but are requested
 * again.
 * @param settleRequests settles the requests of each selection if the walk holds them
 */
export const chooseLanguages = async (walk: WalkContext, settleRequests = async (): Promise<void> => {}): Promise<void> => {
  const { page } = walk;
  await expect(async () => {
    if ((await getBackgroundSelect(page).count()) > 0) return;
    await wakeFrameWithPausedClock(walk);
    await expect(getBackgroundSelect(page)).toBeAttached({ timeout: 500 });
  }).toPass();
  for (const locale of ['fr', 'en']) {
    await page.locator('[data-event="language.chosen"]').selectOption(locale);
    await settleRequests();
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
  }
};

/**
 * Simulates a covered or minimised window. A headless browser has no window, so the page only
 * receives the event.
 */
export const hideWindow = async ({ page, recordInjection }: WalkContext): Promise<void> => {
  recordInjection('a hidden window');
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Reflect.deleteProperty(document, 'visibilityState');
  });
};

/** Simulates the return from another site to the page in the back/forward cache. */
export const returnToPage = async ({ page, recordInjection }: WalkContext): Promise<void> => {
  recordInjection('a page restored from the back/forward cache');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
};

/**
 * Responds for the gateway with 204 No Content, so that the browser stays on the shop's page when
 * the app navigates to the gateway.
 */
export const stubGateway = async ({ page, shop }: WalkContext): Promise<void> => {
  const gatewayPort = String(Number(new URL(shop.url).port) + 1);
  await page.route(
    (url) => url.port === gatewayPort,
    (route) => route.fulfill({ status: 204 }),
  );
};

/** From now on, writes to and removals from localStorage fail. */
export const blockStorage = async (walk: WalkContext): Promise<void> => {
  walk.recordInjection('a storage that refuses writes');
  await walk.page.evaluate(() => {
    const { setItem, removeItem } = Storage.prototype;
    const assertNotLocal = (storage: Storage) => {
      if (storage === localStorage) throw new DOMException('The storage cannot be written.', 'QuotaExceededError');
    };
    Storage.prototype.setItem = function (this: Storage, key, value) {
      assertNotLocal(this);
      setItem.call(this, key, value);
    };
    Storage.prototype.removeItem = function (this: Storage, key) {
      assertNotLocal(this);
      removeItem.call(this, key);
    };
  });
};

/**
 * Presses Pay, unless the payment that was started before sign-in has resumed automatically, and
 * waits until the payment is in the state `paymentState`.
 */
export const pay = async ({ page }: WalkContext, paymentState: string): Promise<void> => {
  const button = page.locator('[data-event="pay.pressed"]');
  const payment = page.locator('[data-flow="payment"]');
  await expect(button.or(payment)).toBeVisible();
  if (await button.isVisible()) await button.click();
  await new ShopPage(page).waitForState('payment', paymentState);
};

/** Waits until the recorder has written a trace, for a walk that is about to leave the page. */
export const waitForRecorder = async ({ page }: WalkContext): Promise<void> => {
  // The recorder is loaded on the first user activity.
  await page.keyboard.press('Shift');
  await expect.poll(() => readRecordedTrace(page)).not.toBeNull();
};

/**
 * Waits for the flow's screen and for the recorder; otherwise the walk might leave the page before
 * the recorder has loaded.
 */
export const waitForFlowAndRecorder = async (walk: WalkContext): Promise<void> => {
  await walk.flow.waitFor();
  await waitForRecorder(walk);
};

/** Like `waitForRecorder`, for a page whose clock is paused: the recorder writes after a delay. */
export const waitForRecorderWithPausedClock = async ({ page }: WalkContext): Promise<void> => {
  await page.keyboard.press('Shift');
  await expect(async () => {
    await page.clock.runFor(500);
    expect(await readRecordedTrace(page)).not.toBeNull();
  }).toPass();
};
