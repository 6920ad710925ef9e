import { chromium } from 'playwright-core';
import { browserLaunch } from '../../../tools/shop/browser.ts';
import { buildWhatIsStale } from '../../../tools/start/build.mjs';
import { faultNames, type FaultName } from '../faults.ts';
import type { Tried } from '../matrix.ts';
import { checkLedger, startShopOfFaults } from '../shop.ts';
import { flowsInBrowser, tryInBrowser } from './in-browser.ts';

/** Customers at a time: some wait half a minute for an answer that does not come. */
const AT_A_TIME = 3;

type Chosen = { errand?: string | undefined; isWanted: (fault: FaultName) => boolean };

/** Tries every fault once with each flow in Chromium, on the built shop. */
export async function tryAllInBrowser({ errand = '', isWanted }: Chosen, told: (tried: Tried) => void): Promise<void> {
  await buildWhatIsStale();
  const shop = await startShopOfFaults();
  const browser = await chromium.launch(await browserLaunch());
  const flows = flowsInBrowser.filter(({ each }) => each.name.includes(errand));
  const all = flows.flatMap((flow) => faultNames.filter(isWanted).map((fault) => ({ flow, fault })));
  const waiting = all.filter(({ fault }) => fault !== 'shop killed');
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      told(await tryInBrowser({ browser, shop }, next.flow, next.fault));
  };
  try {
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    // Alone: it is killed for everybody.
    for (const { flow, fault } of all)
      if (fault === 'shop killed') told(await tryInBrowser({ browser, shop }, flow, fault));
    await checkLedger(shop);
  } finally {
    await browser.close();
    await shop.remove();
  }
}
