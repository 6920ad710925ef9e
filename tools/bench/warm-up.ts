import type { RunningShop } from '../shop/running-shop.ts';

/** The ADMIN_TOKEN that the shop must be started with. */
export const adminToken = 'the token of the bench';

/** Resolves once the shop has prerendered the pages for its first visitors. */
export async function waitForWarmUp({ url }: RunningShop): Promise<void> {
  let [lastCounts, unchangedSince] = ['', performance.now()];
  while (performance.now() - unchangedSince < 2_000) {
    const counts = await (await fetch(`${url}/admin/ssr`, { headers: { authorization: `Bearer ${adminToken}` } })).text();
    if (counts !== lastCounts) [lastCounts, unchangedSince] = [counts, performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
