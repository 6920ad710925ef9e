import { setTimeout } from 'node:timers/promises';
import { startShop, type RunningShop } from '../../tools/shop/running-shop.ts';
import type { SendRequest } from './browser.ts';

export const ADMIN_TOKEN = 'a token of the faults';

/** The real network, also while a fake one is installed in front of it. */
export const sendDirect: SendRequest = globalThis.fetch;

/** @param env is added to the server's environment */
export const startFaultShop = (env: Record<string, string> = {}): Promise<RunningShop> =>
  startShop({ env: { PASSWORD_COST: '1024', ADMIN_TOKEN, ...env } });

const MAX_START_MS = 60_000;

/** Polls a URL until it answers with success (2xx). @throws Error if it does not within 60 s */
export async function waitUntilUp(url: string): Promise<void> {
  const isUp = () =>
    sendDirect(new Request(url)).then(
      ({ ok }) => ok,
      () => false,
    );
  const deadline = performance.now() + MAX_START_MS;
  while (!(await isUp())) {
    if (performance.now() > deadline) throw new Error(`${url} has not answered with success (2xx) within ${MAX_START_MS} ms`);
    await setTimeout(20);
  }
}

/** Restarts a shop that was stopped or killed, together with its own gateway. */
export async function startAndWait(shop: RunningShop): Promise<void> {
  await shop.start();
  // The shop accepts purchases before its gateway is back.
  await waitUntilUp(`http://localhost:${shop.port + 1}/healthz`);
}

/** Kills a shop as a power cut would, and restarts it. */
export async function killAndStart(shop: RunningShop): Promise<void> {
  await shop.kill();
  await startAndWait(shop);
}
