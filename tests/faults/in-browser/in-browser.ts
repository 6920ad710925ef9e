import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { cases, findViolation, type Bookings, type ErrandCase } from '../errands.ts';
import { faults, type FaultName, type FaultActions } from '../faults.ts';
import type { CallFault } from '../faulty-network.ts';
import type { FaultResult } from '../matrix.ts';
import { killAndStart } from '../shop.ts';
import { FaultyProxy } from './faulty-proxy.ts';
import { RetryingVisitor } from './visitor.ts';

/**
 * For each flow, the call where a fault matters most: the one that charges, or grants something
 * free.
 */
const criticalCalls: Record<string, string> = {
  'a title, on the gateway’s page': 'purchase/title/confirm',
  'a title, by a saved card': 'purchase/title',
  'a free title': 'purchase/free',
  'a title, for credits': 'purchase/credits',
  'a gift, on the gateway’s page': 'purchase/title/confirm',
  'a cart, on the gateway’s page': 'purchase/title/confirm',
  'a subscription, on the gateway’s page': 'subscription/confirm',
  'a title, by a code': 'redeem/title',
};

/** Each flow with the call that fails in it. */
export const browserFlows = cases.flatMap((errandCase) => {
  const call = criticalCalls[errandCase.name];
  return call === undefined ? [] : [{ errandCase, call }];
});

export type BrowserSlotOptions = {
  browser: Browser;
  shop: RunningShop;
  /** Maximum of the page's request timeouts, in ms; without it they keep their defaults. */
  requestTimeoutMs?: number;
};

/**
 * A browser context with its own proxy to the shop, for one customer after the other: the cache
 * keeps the static files.
 */
export type BrowserSlot = { context: BrowserContext; proxy: FaultyProxy; shop: RunningShop; close(): Promise<void> };

export async function openBrowserSlot({ browser, shop, requestTimeoutMs }: BrowserSlotOptions): Promise<BrowserSlot> {
  const proxy = await FaultyProxy.start(shop.url);
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 }, locale: 'en-GB' });
  // A page is slow on a busy machine.
  context.setDefaultTimeout(120_000);
  if (requestTimeoutMs !== undefined)
    await context.addInitScript((maxMs) => {
      const originalTimeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (milliseconds) => originalTimeout(Math.min(milliseconds, maxMs));
    }, requestTimeoutMs);
  const close = async (): Promise<void> => {
    await context.close();
    await proxy.close();
  };
  return { context, proxy, shop, close };
}

/**
 * Time limit for closing a page, in ms: Chromium sometimes closes a page late after it has returned
 * from a card form.
 */
const MAX_CLOSE_MS = 5000;

/** Matches the text of a screen that says that nothing was charged. */
const nothingChargedPattern = /n’t been charged/i;

/** Runs one errand of a new customer in Chromium, with one fault. */
export async function runFaultInBrowser(
  slot: BrowserSlot,
  { errandCase, call }: { errandCase: ErrandCase; call: string },
  fault: FaultName,
): Promise<FaultResult> {
  const { shop, proxy, context } = slot;
  const customer = await Customer.signUp(shop);
  await errandCase.prepare?.(customer);
  const bookingsBefore = await errandCase.countBookings(customer);
  await customer.signInBrowser(context, customer.token, proxy.origin);
  let restart: Promise<void> | null = null;
  const checkStatement = async (text: string): Promise<void> => {
    if (!nothingChargedPattern.test(text)) return;
    const { charges } = await errandCase.countBookings(customer);
    if (charges > bookingsBefore.charges && fault !== 'two tabs')
      throw new Error(`the payment is charged, but the screen says: ${text}`);
  };
  const environment = { proxy, customer, whenReachable: async () => restart ?? undefined, checkStatement };
  const openVisitor = async () =>
    new RetryingVisitor(await context.newPage(), environment, errandCase.errand, { isHasty: fault === 'sent twice' });
  const attempt = { name: errandCase.name, call: { path: call, time: 1 }, fault };
  try {
    const visitor = await openVisitor();
    const actions: FaultActions = {
      leavePage: (navigation) => {
        visitor.leave(navigation);
        return new Promise(() => undefined);
      },
      completeInAnotherTab: async () => {
        proxy.stopFailing();
        await (await openVisitor()).run();
      },
      killShop: () => {
        // A browser retries a call by itself when the connection breaks: the shop is killed only
        // once.
        restart ??= killAndStart(shop);
        return restart;
      },
    };
    const createFault: (actions: FaultActions) => CallFault = faults[fault];
    // A customer who presses twice has a working connection.
    proxy.breakCall(call, fault === 'sent twice' ? (send) => send() : createFault(actions));
    const ending = await visitor.run();
    const bookings: Bookings = await errandCase.countBookings(customer);
    return {
      ...attempt,
      ending,
      bookings,
      wrong: proxy.hasFailed ? findViolation(errandCase, ending, bookings) : 'the call was not made',
    };
  } catch (error) {
    const wrong = error instanceof Error ? error.message : String(error);
    return { ...attempt, ending: null, bookings: null, wrong };
  } finally {
    for (const page of context.pages()) await Promise.race([page.close(), setTimeout(MAX_CLOSE_MS, null, { ref: false })]);
  }
}
