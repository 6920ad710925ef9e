import type { RunningShop } from '../shop/running-shop.ts';

/** The shop has to be started with it as its ADMIN_TOKEN. */
export const adminToken = 'the token of the bench';

/** Resolves once the shop has rendered the pages that it prerenders for its first visitors. */
export async function paintedAhead({ url }: RunningShop): Promise<void> {
  let [last, since] = ['', performance.now()];
  while (performance.now() - since < 2_000) {
    const counts = await (await fetch(`${url}/admin/painting`, { headers: { authorization: `Bearer ${adminToken}` } })).text();
    if (counts !== last) [last, since] = [counts, performance.now()];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
