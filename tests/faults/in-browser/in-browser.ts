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
  'a title, by a kept card': 'purchase/title',
  'a free title': 'purchase/free',
  'a title, for credits': 'purchase/credits',
  'a gift, on the gateway’s page': 'purchase/title/confirm',
  'a cart, on the gateway’s page': 'purchase/title/confirm',
  'a subscription, on the gateway’s page': 'subscription/confirm',
  'a title, for a code': 'redeem/title',
};

/** Each flow with its call that fails. */
export const browserFlows = cases.flatMap((each) => {
  const call = criticalCalls[each.name];
  return call === undefined ? [] : [{ each, call }];
});

export type BrowserSlotOptions = {
  browser: Browser;
  shop: RunningShop;
  /** Request timeout of the page in ms, where it differs from the default of customers' pages. */
  requestTimeoutMs?: number;
};

/**
 * A browser with its own proxy to the shop, for one customer after the other: its cache keeps the
 * static files.
 */
export type BrowserSlot = { context: BrowserContext; proxy: FaultyProxy; shop: RunningShop; close(): Promise<void> };

export async function openBrowserSlot({ browser, shop, requestTimeoutMs }: BrowserSlotOptions): Promise<BrowserSlot> {
  const proxy = await FaultyProxy.before(shop.url);
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 }, locale: 'en-GB' });
  // A page is slow on a busy machine.
  context.setDefaultTimeout(120_000);
  if (requestTimeoutMs !== undefined)
    await context.addInitScript((most) => {
      const limit = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (milliseconds) => limit(Math.min(milliseconds, most));
    }, requestTimeoutMs);
  const close = async (): Promise<void> => {
    await context.close();
    await proxy.close();
  };
  return { context, proxy, shop, close };
}

/** Milliseconds: Chromium sometimes closes a page late after it has returned from a card form. */
const MAX_CLOSE_MS = 5000;

/** The screen says that nothing was charged. */
const nothingChargedText = /n’t been charged/i;

/** Runs one errand of a new customer in Chromium, with one fault. */
export async function runFaultInBrowser(
  seat: BrowserSlot,
  { each, call }: { each: ErrandCase; call: string },
  fault: FaultName,
): Promise<FaultResult> {
  const { shop, proxy, context } = seat;
  const customer = await Customer.signUp(shop);
  await each.prepare?.(customer);
  const before = await each.booked(customer);
  await customer.signInBrowser(context, customer.token, proxy.origin);
  let restarted: Promise<void> | null = null;
  const believes = async (says: string): Promise<void> => {
    if (!nothingChargedText.test(says)) return;
    const { charges } = await each.booked(customer);
    if (charges > before.charges && fault !== 'two tabs') throw new Error(`the payment is charged, but the screen says: ${says}`);
  };
  const world = { proxy, customer, isThere: async () => restarted ?? undefined, believes };
  const open = async () => new RetryingVisitor(await context.newPage(), world, each.errand, { isHasty: fault === 'sent twice' });
  const tried = { name: each.name, call: { path: call, time: 1 }, fault };
  try {
    const visitor = await open();
    const incidents: FaultActions = {
      leavePage: (how) => {
        visitor.leave(how);
        return new Promise(() => undefined);
      },
      inAnotherTab: async () => {
        proxy.stopFailing();
        await (await open()).run();
      },
      killShop: () => {
        // A browser retries a call by itself when the connection breaks: the shop is killed only
        // once.
        restarted ??= killAndStart(shop);
        return restarted;
      },
    };
    const make: (incidents: FaultActions) => CallFault = faults[fault];
    // A customer who presses twice has a working connection.
    proxy.break(call, fault === 'sent twice' ? (send) => send() : make(incidents));
    const ending = await visitor.run();
    const booked: Bookings = await each.booked(customer);
    return { ...tried, ending, booked, wrong: proxy.hasFailed ? findViolation(each, ending, booked) : 'the call was not made' };
  } catch (error) {
    const wrong = error instanceof Error ? error.message : String(error);
    return { ...tried, ending: null, booked: null, wrong };
  } finally {
    for (const page of context.pages()) await Promise.race([page.close(), setTimeout(MAX_CLOSE_MS, null, { ref: false })]);
  }
}
