import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { cases, wrongWith, type Bookings, type Case } from '../errands.ts';
import { faults, type FaultName, type Incidents } from '../faults.ts';
import type { Fault } from '../line.ts';
import type { FaultResult } from '../matrix.ts';
import { restart } from '../shop.ts';
import { FaultyProxy } from './faulty-proxy.ts';
import { Visitor } from './visitor.ts';

/**
 * For each flow, the call where a fault matters most: the one that charges, or grants something
 * free.
 */
const dearest: Record<string, string> = {
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
export const flowsInBrowser = cases.flatMap((each) => {
  const call = dearest[each.name];
  return call === undefined ? [] : [{ each, call }];
});

export type Where = {
  browser: Browser;
  shop: RunningShop;
  /** Request timeout of the page in ms, where it differs from the default of customers' pages. */
  patience?: number;
};

/**
 * A browser with its own proxy to the shop, for one customer after the other: its cache keeps the
 * static files.
 */
export type Seat = { context: BrowserContext; proxy: FaultyProxy; shop: RunningShop; close(): Promise<void> };

export async function takeSeat({ browser, shop, patience }: Where): Promise<Seat> {
  const proxy = await FaultyProxy.before(shop.url);
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 }, locale: 'en-GB' });
  // A page is slow on a busy machine.
  context.setDefaultTimeout(120_000);
  if (patience !== undefined)
    await context.addInitScript((most) => {
      const limit = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (milliseconds) => limit(Math.min(milliseconds, most));
    }, patience);
  const close = async (): Promise<void> => {
    await context.close();
    await proxy.close();
  };
  return { context, proxy, shop, close };
}

/** Milliseconds: Chromium sometimes closes a page late after it has returned from a card form. */
const MAX_CLOSE_MS = 5000;

/** The screen says that nothing was charged. */
const saysNothingWasCharged = /n’t been charged/i;

/** Runs one errand of a new customer in Chromium, with one fault. */
export async function tryInBrowser(seat: Seat, { each, call }: { each: Case; call: string }, fault: FaultName): Promise<FaultResult> {
  const { shop, proxy, context } = seat;
  const customer = await Customer.signUp(shop);
  await each.prepare?.(customer);
  const before = await each.booked(customer);
  await customer.uses(context, customer.token, proxy.origin);
  let restarted: Promise<void> | null = null;
  const believes = async (says: string): Promise<void> => {
    if (!saysNothingWasCharged.test(says)) return;
    const { charges } = await each.booked(customer);
    if (charges > before.charges && fault !== 'two tabs') throw new Error(`the payment is charged, but the screen says: ${says}`);
  };
  const world = { proxy, customer, isThere: async () => restarted ?? undefined, believes };
  const open = async () => new Visitor(await context.newPage(), world, each.errand, { isHasty: fault === 'sent twice' });
  const tried = { name: each.name, call: { path: call, time: 1 }, fault };
  try {
    const visitor = await open();
    const incidents: Incidents = {
      leavePage: (how) => {
        visitor.leaves(how);
        return new Promise(() => undefined);
      },
      inAnotherTab: async () => {
        proxy.mend();
        await (await open()).run();
      },
      killShop: () => {
        // A browser retries a call by itself when the connection breaks: the shop is killed only
        // once.
        restarted ??= restart(shop);
        return restarted;
      },
    };
    const make: (incidents: Incidents) => Fault = faults[fault];
    // A customer who presses twice has a working connection.
    proxy.break(call, fault === 'sent twice' ? (send) => send() : make(incidents));
    const ending = await visitor.run();
    const booked: Bookings = await each.booked(customer);
    return { ...tried, ending, booked, wrong: proxy.hasFailed ? wrongWith(each, ending, booked) : 'the call was not made' };
  } catch (error) {
    const wrong = error instanceof Error ? error.message : String(error);
    return { ...tried, ending: null, booked: null, wrong };
  } finally {
    for (const page of context.pages()) await Promise.race([page.close(), setTimeout(MAX_CLOSE_MS, null, { ref: false })]);
  }
}
