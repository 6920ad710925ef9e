import { setTimeout } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import type { RunningShop } from '../../../tools/shop/running-shop.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { cases, wrongWith, type Booked, type Case } from '../errands.ts';
import { faults, type FaultName, type Incidents } from '../faults.ts';
import type { Fault } from '../line.ts';
import type { Tried } from '../matrix.ts';
import { restart } from '../shop.ts';
import { FaultyProxy } from './faulty-proxy.ts';
import { Visitor } from './visitor.ts';

/** Of each flow, the call on which a fault matters most: the one that charges, or gives what costs no money. */
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

/** Each flow with the call of it that goes wrong. */
export const flowsInBrowser = cases.flatMap((each) => {
  const call = dearest[each.name];
  return call === undefined ? [] : [{ each, call }];
});

export type Where = {
  browser: Browser;
  shop: RunningShop;
  /** Milliseconds for which a page waits for an answer at most, where it is not as long as customers' pages do. */
  patience?: number;
};

/** A browser with a line of its own to the shop, for one customer after the other: its cache keeps what pages are made of. */
export type Seat = { context: BrowserContext; proxy: FaultyProxy; shop: RunningShop; close(): Promise<void> };

export async function takeSeat({ browser, shop, patience }: Where): Promise<Seat> {
  const proxy = await FaultyProxy.before(shop.url);
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 }, locale: 'en-GB' });
  // On a busy machine a page takes its time.
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

/** Milliseconds: Chromium now and then closes a page that came back from a card form only much later. */
const LONGEST_CLOSE = 5000;

/** The screen says that nothing was charged. */
const saysNothingWasCharged = /n’t been charged/i;

/** A new customer in Chromium, to whom a fault happens once on their errand. */
export async function tryInBrowser(seat: Seat, { each, call }: { each: Case; call: string }, fault: FaultName): Promise<Tried> {
  const { shop, proxy, context } = seat;
  const customer = await Customer.signUp(shop);
  await each.prepare?.(customer);
  const before = await each.booked(customer);
  await customer.uses(context, customer.token, proxy.origin);
  let restarted: Promise<void> | null = null;
  const believes = async (says: string): Promise<void> => {
    if (!saysNothingWasCharged.test(says)) return;
    const { charges } = await each.booked(customer);
    if (charges > before.charges && fault !== 'two tabs') throw new Error(`it is charged, and the screen says: ${says}`);
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
        // A browser sends a call on a broken connection again by itself: the shop is killed once.
        restarted ??= restart(shop);
        return restarted;
      },
    };
    const make: (incidents: Incidents) => Fault = faults[fault];
    // Whoever presses twice does so on a sound line.
    proxy.break(call, fault === 'sent twice' ? (send) => send() : make(incidents));
    const ending = await visitor.run();
    const booked: Booked = await each.booked(customer);
    return { ...tried, ending, booked, wrong: proxy.hasFailed ? wrongWith(each, ending, booked) : 'the call was not made' };
  } catch (error) {
    const wrong = error instanceof Error ? error.message : String(error);
    return { ...tried, ending: null, booked: null, wrong };
  } finally {
    for (const page of context.pages()) await Promise.race([page.close(), setTimeout(LONGEST_CLOSE, null, { ref: false })]);
  }
}
