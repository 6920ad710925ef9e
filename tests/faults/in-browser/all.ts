import { chromium } from 'playwright-core';
import { getBrowserLaunch } from '../../../tools/shop/browser.ts';
import { buildIfStale } from '../../../tools/start/build.mjs';
import { faultNames, type FaultName } from '../faults.ts';
import type { FaultResult } from '../matrix.ts';
import { checkLedger } from '../../../tools/shop/check-ledger.ts';
import { ADMIN_TOKEN, startFaultShop } from '../shop.ts';
import { browserFlows, openBrowserSlot, runFaultInBrowser } from './in-browser.ts';

/** Customers at the same time: some wait 30 s for a response that does not arrive. */
const CONCURRENCY = 4;

/** Pages live for seconds: optimising their JavaScript costs more time than it saves. */
const noOptimizingFlag = '--js-flags=--no-maglev --no-turbofan';

type FaultFilter = { errand?: string | undefined; isWanted: (fault: FaultName) => boolean };

/** Tries every fault once with each flow in Chromium, on the built shop. */
export async function runAllInBrowser(
  { errand = '', isWanted }: FaultFilter,
  onResult: (result: FaultResult) => void,
): Promise<void> {
  await buildIfStale();
  const shop = await startFaultShop();
  const launch = await getBrowserLaunch();
  const browser = await chromium.launch({ ...launch, args: [...launch.args, noOptimizingFlag] });
  const flows = browserFlows.filter(({ errandCase }) => errandCase.name.includes(errand));
  const runs = flows.flatMap((flow) => faultNames.filter(isWanted).map((fault) => ({ flow, fault })));
  const runQueue = async (queue: typeof runs): Promise<void> => {
    const slot = await openBrowserSlot({ browser, shop });
    for (let next = queue.shift(); next; next = queue.shift()) onResult(await runFaultInBrowser(slot, next.flow, next.fault));
    await slot.close();
  };
  try {
    const concurrentRuns = runs.filter(({ fault }) => fault !== 'shop killed');
    await Promise.all(Array.from({ length: CONCURRENCY }, () => runQueue(concurrentRuns)));
    // This fault runs alone, since it kills the shop for every customer.
    await runQueue(runs.filter(({ fault }) => fault === 'shop killed'));
    await checkLedger(shop, ADMIN_TOKEN);
  } finally {
    await browser.close();
    await shop.remove();
  }
}
