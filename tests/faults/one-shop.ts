import { withStoppedShop } from '../server/support/last-sweeps.ts';
import { findUnfinishedWork } from './leftovers.ts';
import { startAndWait, startFaultShop } from './shop.ts';
import type { TestedShop } from './tested-shop.ts';

/** Starts one process on its embedded database, which dies together with its gateway. */
export async function startOneShop(): Promise<TestedShop> {
  const shop = await startFaultShop();
  const { url, data } = shop;
  let back: Promise<void> = Promise.resolve();
  const beginStart = (): void => {
    back = startAndWait(shop);
    // Callers that await it still receive the failure.
    back.catch(() => undefined);
  };
  return {
    url,
    data,
    targetCall: () => ({
      async kill(target) {
        if (target === 'connections') throw new Error('The embedded database has no connections that could be cut.');
        await shop.kill();
        beginStart();
      },
    }),
    whenReachable: () => back,
    whenRestored: () => back,
    async sweepToEnd() {
      await back;
      await shop.stop();
      try {
        return await withStoppedShop(data, (db, payment) => findUnfinishedWork(db, payment, data));
      } finally {
        beginStart();
        await back;
      }
    },
    remove: () => shop.remove(),
  };
}
