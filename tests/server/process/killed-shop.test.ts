import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePortPair } from '../../../tools/shop/free-ports.ts';
import { buyDuringKills, expectOnceOrNever, type Victim } from '../support/kill-run.ts';
import { withStoppedShop, runLastSweeps } from '../support/last-sweeps.ts';
import { startShop, type StartedShop } from '../support/started-shop.ts';

test(
  'shop and gateway are killed at random, and each purchase is charged and granted once or never',
  { timeout: 240_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-killed-'));
    const port = await findFreePortPair();
    const startProcess = () =>
      startShop({ DATA_DIR: folder, PORT: String(port), PAYMENT_TIMEOUT: '1500', SIGN_UPS_PER_HOUR: '1000' });
    let shop: StartedShop = await startProcess();
    onTestFinished(async () => {
      await shop.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    });

    const shopVictim: Victim = {
      isReplicated: false,
      kill: () => shop.end('SIGKILL'),
      async restart() {
        shop = await startProcess();
      },
    };
    let killedPid = 0;
    const gatewayVictim: Victim = {
      isReplicated: false,
      async kill() {
        killedPid = await shop.gatewayPid();
        process.kill(killedPid, 'SIGKILL');
      },
      // The shop restarts its gateway.
      async restart() {
        await expect.poll(() => shop.gatewayPid().catch(() => killedPid), { timeout: 30_000 }).not.toBe(killedPid);
        const isUp = () => fetch(`http://localhost:${port + 1}/healthz`).then(({ ok }) => ok);
        await expect.poll(() => isUp().catch(() => false), { timeout: 30_000 }).toBe(true);
      },
    };
    const purchases = await buyDuringKills(
      () => `http://localhost:${port}`,
      [shopVictim, gatewayVictim, shopVictim, gatewayVictim, shopVictim, gatewayVictim],
    );
    expect(await shop.end('SIGTERM')).toBe(0);

    await withStoppedShop(folder, async (db, payment) => {
      await runLastSweeps([db], payment);
      await expectOnceOrNever(db, join(folder, 'gateway'), purchases);
    });
  },
);
