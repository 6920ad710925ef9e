import type { BrowserContext, Page, TestInfo } from '@playwright/test';
import type { ShopLocation } from '../../../tools/shop/running-shop.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { HeldRequests } from '../../../tools/tours/held-requests.ts';
import { getSettledPort, settle } from '../../../tools/tours/settle.ts';
import type { BrowserAdapter, WalkContext } from '../../../tools/tours/browser-adapter.ts';

type WalkOptions = { page: Page; context: BrowserContext; shop: ShopLocation };

/**
 * Creates the context of one walk. Actions of the server or the browser that the walk replaces are
 * noted as annotations of the test.
 */
export const createWalk = ({ page, context, shop }: WalkOptions, adapter: BrowserAdapter, info: TestInfo): WalkContext => {
  const heldRequests = new HeldRequests(page, adapter.ports);
  let customer: Promise<Customer> | null = null;
  const walk: WalkContext = {
    page,
    context,
    shop,
    flow: page.locator(`[data-flow="${adapter.name}"]`),
    getCustomer: () => (customer ??= Customer.signUp(shop)),
    remainingSteps: [],
    startHolding: () => heldRequests.start(),
    settle: (event) => settle(walk, heldRequests, getSettledPort(event) ?? '', event),
    letThrough: (port) => heldRequests.letThrough(port),
    hold: (port) => heldRequests.holdAgain(port),
    countHeldRequests: (port) => heldRequests.getHeldRequests(port).length,
    recordInjection: (description) => info.annotations.push({ type: 'injected', description }),
    recordServerResponse: () => info.annotations.push({ type: 'answered by the server' }),
  };
  return walk;
};
