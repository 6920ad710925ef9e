import { inStoppedShop } from '../server/support/last-sweeps.ts';
import { leftAfterSweeps } from './leftovers.ts';
import { startAgain, startShopOfFaults } from './shop.ts';
import type { TestedShop } from './tested-shop.ts';

/** Starts one process on its embedded database, which dies with its gateway. */
export async function startOneShop(): Promise<TestedShop> {
  const shop = await startShopOfFaults();
  const { url, data } = shop;
  let back: Promise<void> = Promise.resolve();
  const beginStart = (): void => {
    back = startAgain(shop);
    // Callers that wait for it get its failure.
    back.catch(() => undefined);
  };
  return {
    url,
    data,
    aim: () => ({
      async kill(target) {
        if (target === 'connections') throw new Error('The embedded database has no connections that could be cut.');
        await shop.kill();
        beginStart();
      },
    }),
    isThere: () => back,
    isWhole: () => back,
    async settle() {
      await back;
      await shop.stop();
      try {
        return await inStoppedShop(data, (db, payment) => leftAfterSweeps(db, payment, data));
      } finally {
        beginStart();
        await back;
      }
    },
    remove: () => shop.remove(),
  };
}
