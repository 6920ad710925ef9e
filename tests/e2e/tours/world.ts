import type { BrowserContext, Page, TestInfo } from '@playwright/test';
import type { ShopPlace } from '../../../tools/shop/running-shop.ts';
import { Customer } from '../../../tools/browser/customer.ts';
import { Held } from '../../../tools/tours/held.ts';
import { portSettledBy, settle } from '../../../tools/tours/settle.ts';
import type { Stage, World } from '../../../tools/tours/stage.ts';

type Around = { page: Page; context: BrowserContext; shop: ShopPlace };

/** The world of one tour; what is put in place of the server's or the browser's own doing is marked on the test. */
export const openWorld = ({ page, context, shop }: Around, stage: Stage, info: TestInfo): World => {
  const held = new Held(page, stage.ports);
  let customer: Promise<Customer> | null = null;
  const world: World = {
    page,
    context,
    shop,
    flow: page.locator(`[data-flow="${stage.name}"]`),
    customer: () => (customer ??= Customer.signUp(shop)),
    ahead: [],
    startHolding: () => held.start(),
    settle: (event) => settle(world, held, portSettledBy(event) ?? '', event),
    letThrough: (port) => held.letThrough(port),
    hold: (port) => held.holdAgain(port),
    waiting: (port) => held.waitingFor(port).length,
    injected: (what) => info.annotations.push({ type: 'injected', description: what }),
    answered: () => info.annotations.push({ type: 'answered by the server' }),
  };
  return world;
};
