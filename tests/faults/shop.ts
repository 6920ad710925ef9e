import { setTimeout } from 'node:timers/promises';
import { startShop, type RunningShop } from '../../tools/shop/running-shop.ts';
import type { Send } from './browser.ts';

export const ADMIN_TOKEN = 'a token of the faults';

/** The network itself, whatever is broken in front of it. */
export const network: Send = globalThis.fetch;

/** @param env adds to the server's environment */
export const startShopOfFaults = (env: Record<string, string> = {}): Promise<RunningShop> =>
  startShop({ env: { PASSWORD_COST: '1024', ADMIN_TOKEN, ...env } });

/** Milliseconds. */
const LONGEST_START = 60_000;

/** Asks until the address answers 200. @throws Error where it does not within a minute */
export async function untilUp(address: string): Promise<void> {
  const isUp = () =>
    network(new Request(address)).then(
      ({ ok }) => ok,
      () => false,
    );
  const end = performance.now() + LONGEST_START;
  while (!(await isUp())) {
    if (performance.now() > end) throw new Error(`${address} has not answered 200 within ${LONGEST_START} ms`);
    await setTimeout(20);
  }
}

/** Starts a shop that was stopped or killed again, with its own gateway. */
export async function startAgain(shop: RunningShop): Promise<void> {
  await shop.start();
  // It takes orders before its gateway is there again.
  await untilUp(`http://localhost:${shop.port + 1}/healthz`);
}

/** Kills a shop as a power cut would, and starts it again. */
export async function restart(shop: RunningShop): Promise<void> {
  await shop.kill();
  await startAgain(shop);
}
