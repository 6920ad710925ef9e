import { withStoppedShop } from '../server/support/last-sweeps.ts';
import { findUnfinishedWork } from './leftovers.ts';
import { startAndWait, startFaultShop } from './shop.ts';
import type { TestedShop } from './tested-shop.ts';

/** Starts one process with an embedded database; the process and its gateway die together. */
export async function startOneShop(): Promise<TestedShop> {
  const shop = await startFaultShop();
  const { url, data } = shop;
  let restartPromise: Promise<void> = Promise.resolve();
  const beginRestart = (): void => {
    restartPromise = startAndWait(shop);
    // Callers that await the promise still receive the failure.
    restartPromise.catch(() => undefined);
  };
  return {
    url,
    data,
    targetCall: () => ({
      async kill(target) {
        if (target === 'connections') throw new Error('The embedded database has no connections that could be cut.');
        await shop.kill();
        beginRestart();
      },
    }),
    whenReachable: () => restartPromise,
    whenRestored: () => restartPromise,
    async sweepToEnd() {
      await restartPromise;
      await shop.stop();
      try {
        return await withStoppedShop(data, (db, payment) => findUnfinishedWork(db, payment, data));
      } finally {
        beginRestart();
        await restartPromise;
      }
    },
    remove: () => shop.remove(),
  };
}
