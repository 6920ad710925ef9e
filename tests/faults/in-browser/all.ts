import { chromium } from 'playwright-core';
import { browserLaunch } from '../../../tools/shop/browser.ts';
import { buildWhatIsStale } from '../../../tools/start/build.mjs';
import { faultNames, type FaultName } from '../faults.ts';
import type { Tried } from '../matrix.ts';
import { checkLedger } from '../../../tools/shop/check-ledger.ts';
import { ADMIN_TOKEN, startShopOfFaults } from '../shop.ts';
import { flowsInBrowser, takeSeat, tryInBrowser } from './in-browser.ts';

/** Customers at a time: some wait half a minute for an answer that does not come. */
const AT_A_TIME = 4;

/** Pages live for seconds: to make their code faster while they run costs more than it gets back. */
const withoutOptimizing = '--js-flags=--no-maglev --no-turbofan';

type Chosen = { errand?: string | undefined; isWanted: (fault: FaultName) => boolean };

/** Tries every fault once with each flow in Chromium, on the built shop. */
export async function tryAllInBrowser({ errand = '', isWanted }: Chosen, told: (tried: Tried) => void): Promise<void> {
  await buildWhatIsStale();
  const shop = await startShopOfFaults();
  const launch = await browserLaunch();
  const browser = await chromium.launch({ ...launch, args: [...launch.args, withoutOptimizing] });
  const flows = flowsInBrowser.filter(({ each }) => each.name.includes(errand));
  const all = flows.flatMap((flow) => faultNames.filter(isWanted).map((fault) => ({ flow, fault })));
  const work = async (waiting: typeof all): Promise<void> => {
    const seat = await takeSeat({ browser, shop });
    for (let next = waiting.shift(); next; next = waiting.shift()) told(await tryInBrowser(seat, next.flow, next.fault));
    await seat.close();
  };
  try {
    const others = all.filter(({ fault }) => fault !== 'shop killed');
    await Promise.all(Array.from({ length: AT_A_TIME }, () => work(others)));
    // Alone: it is killed for everybody.
    await work(all.filter(({ fault }) => fault === 'shop killed'));
    await checkLedger(shop, ADMIN_TOKEN);
  } finally {
    await browser.close();
    await shop.remove();
  }
}
