import type { BrowserContext, Page, TestInfo } from '@playwright/test';
import type { ShopLocation } from '../../../tools/shop/running-shop.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { Held } from '../../../tools/tours/held-requests.ts';
import { getSettledPort, settle } from '../../../tools/tours/settle.ts';
import type { BrowserAdapter, WalkContext } from '../../../tools/tours/browser-adapter.ts';

type WorldParts = { page: Page; context: BrowserContext; shop: ShopLocation };

/** The world of one walk; replaced actions of the server or the browser are marked on the test. */
export const openTourWorld = ({ page, context, shop }: WorldParts, adapter: BrowserAdapter, info: TestInfo): WalkContext => {
  const held = new Held(page, adapter.ports);
  let customer: Promise<Customer> | null = null;
  const world: WalkContext = {
    page,
    context,
    shop,
    flow: page.locator(`[data-flow="${adapter.name}"]`),
    customer: () => (customer ??= Customer.signUp(shop)),
    ahead: [],
    startHolding: () => held.start(),
    settle: (event) => settle(world, held, getSettledPort(event) ?? '', event),
    letThrough: (port) => held.letThrough(port),
    hold: (port) => held.holdAgain(port),
    waiting: (port) => held.waitingFor(port).length,
    injected: (what) => info.annotations.push({ type: 'injected', description: what }),
    answered: () => info.annotations.push({ type: 'answered by the server' }),
  };
  return world;
};
