import { faultNames, type FaultName } from '../../../faults/faults.ts';
import {
  browserFlows,
  openBrowserSlot,
  runFaultInBrowser,
  type BrowserSlotOptions,
} from '../../../faults/in-browser/in-browser.ts';
import { expect, test } from '../../support/shop.ts';

/** Milliseconds that a page waits for an answer, instead of half a minute. */
const TIMEOUT_MS = 6000;

type BrowserFlow = (typeof browserFlows)[number];

const expectSound = async (where: BrowserSlotOptions, flow: BrowserFlow, fault: FaultName): Promise<void> => {
  const seat = await openBrowserSlot({ ...where, requestTimeoutMs: TIMEOUT_MS });
  const { wrong, ending } = await runFaultInBrowser(seat, flow, fault);
  await seat.close();
  expect(wrong, JSON.stringify(ending)).toBeNull();
};

test.describe.configure({ timeout: 120_000 });

for (const flow of browserFlows)
  for (const fault of faultNames) {
    const title = `${flow.each.name}, ${fault}: one charge and one copy`;
    // Other tests need the shop that they share.
    if (fault === 'shop killed') test(title, ({ browser, ownShop }) => expectSound({ browser, shop: ownShop }, flow, fault));
    else test(title, ({ browser, shop }) => expectSound({ browser, shop }, flow, fault));
  }
