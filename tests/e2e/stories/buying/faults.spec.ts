import { faultNames, type FaultName } from '../../../faults/faults.ts';
import {
  browserFlows,
  openBrowserSlot,
  runFaultInBrowser,
  type BrowserSlotOptions,
} from '../../../faults/in-browser/in-browser.ts';
import { expect, test } from '../../support/shop.ts';

/** Timeout of a page's request, instead of half a minute. */
const TIMEOUT_MS = 6000;

type BrowserFlow = (typeof browserFlows)[number];

const expectConsistent = async (slotOptions: BrowserSlotOptions, flow: BrowserFlow, fault: FaultName): Promise<void> => {
  const slot = await openBrowserSlot({ ...slotOptions, requestTimeoutMs: TIMEOUT_MS });
  const { wrong, ending } = await runFaultInBrowser(slot, flow, fault);
  await slot.close();
  expect(wrong, JSON.stringify(ending)).toBeNull();
};

test.describe.configure({ timeout: 120_000 });

for (const flow of browserFlows)
  for (const fault of faultNames) {
    const title = `${flow.errandCase.name}, ${fault}: one charge and one copy`;
    // This fault needs its own shop: other tests use the shared one.
    if (fault === 'shop killed') test(title, ({ browser, ownShop }) => expectConsistent({ browser, shop: ownShop }, flow, fault));
    else test(title, ({ browser, shop }) => expectConsistent({ browser, shop }, flow, fault));
  }
