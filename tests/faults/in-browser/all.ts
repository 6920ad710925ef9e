import { chromium } from 'playwright-core';
import { getBrowserLaunch } from '../../../tools/shop/browser.ts';
import { buildIfStale } from '../../../tools/start/build.mjs';
import { faultNames, type FaultName } from '../faults.ts';
import type { FaultResult } from '../matrix.ts';
import { checkLedger } from '../../../tools/shop/check-ledger.ts';
import { ADMIN_TOKEN, startFaultShop } from '../shop.ts';
import { browserFlows, openBrowserSlot, runFaultInBrowser } from './in-browser.ts';

/** Customers that run at the same time: some wait 30 s for a response that does not come. */
const CONCURRENCY = 4;

/** Pages live for seconds: optimising their JavaScript costs more time than it saves. */
const withoutOptimizing = '--js-flags=--no-maglev --no-turbofan';

type FaultFilter = { errand?: string | undefined; isWanted: (fault: FaultName) => boolean };

/** Tries every fault once with each flow in Chromium, on the built shop. */
export async function runAllInBrowser({ errand = '', isWanted }: FaultFilter, told: (tried: FaultResult) => void): Promise<void> {
  await buildIfStale();
  const shop = await startFaultShop();
  const launch = await getBrowserLaunch();
  const browser = await chromium.launch({ ...launch, args: [...launch.args, withoutOptimizing] });
  const flows = browserFlows.filter(({ each }) => each.name.includes(errand));
  const all = flows.flatMap((flow) => faultNames.filter(isWanted).map((fault) => ({ flow, fault })));
  const work = async (waiting: typeof all): Promise<void> => {
    const seat = await openBrowserSlot({ browser, shop });
    for (let next = waiting.shift(); next; next = waiting.shift()) told(await runFaultInBrowser(seat, next.flow, next.fault));
    await seat.close();
  };
  try {
    const others = all.filter(({ fault }) => fault !== 'shop killed');
    await Promise.all(Array.from({ length: CONCURRENCY }, () => work(others)));
    // Runs alone, since it kills the shop for every customer.
    await work(all.filter(({ fault }) => fault === 'shop killed'));
    await checkLedger(shop, ADMIN_TOKEN);
  } finally {
    await browser.close();
    await shop.remove();
  }
}
