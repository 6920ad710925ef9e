import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../server/database/open.ts';
import { startGateway } from '../../server/payment/gateway-process.ts';
import { sweep } from '../../server/payment/sweep.ts';
import { testGateway } from '../../server/payment/test-gateway.ts';
import { freePorts } from '../../tools/shop/free-ports.ts';
import { buyWhileKilled, expectOnceOrNever, type Victim } from './support/kill-run.ts';
import { startShop, type StartedShop } from './support/started-shop.ts';

test(
  'shop and gateway are killed at random, and each purchase is charged and granted once or never',
  { timeout: 240_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-killed-'));
    const port = await freePorts();
    const start = () => startShop({ DATA_DIR: folder, PORT: String(port), PAYMENT_TIMEOUT: '1500', SIGN_UPS_PER_HOUR: '1000' });
    let shop: StartedShop = await start();
    onTestFinished(async () => {
      await shop.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    });

    const itself: Victim = {
      hasTwin: false,
      kill: () => shop.end('SIGKILL'),
      async restart() {
        shop = await start();
      },
    };
    let killed = 0;
    const itsGateway: Victim = {
      hasTwin: false,
      async kill() {
        killed = await shop.gatewayPid();
        process.kill(killed, 'SIGKILL');
      },
      // By the shop.
      async restart() {
        await expect.poll(() => shop.gatewayPid().catch(() => killed), { timeout: 30_000 }).not.toBe(killed);
        const isUp = () => fetch(`http://localhost:${port + 1}/healthz`).then(({ ok }) => ok);
        await expect.poll(() => isUp().catch(() => false), { timeout: 30_000 }).toBe(true);
      },
    };
    const bought = await buyWhileKilled(
      () => `http://localhost:${port}`,
      [itself, itsGateway, itself, itsGateway, itself, itsGateway],
    );
    expect(await shop.end('SIGTERM')).toBe(0);

    const { db, close } = await openDatabase({ kind: 'folder', folder });
    const gateway = await startGateway({ folder: join(folder, 'gateway'), port: 0, hostname: 'localhost' });
    try {
      const payment = testGateway({ origin: gateway.origin, secret: gateway.secret, timeout: 5000 });
      const services = { db, payment, log: { error: (details: object) => expect.unreachable(JSON.stringify(details)) } };
      await sweep(services);
      await sweep(services, new Date(Date.now() + 25 * 60 * 60 * 1000));
      await expectOnceOrNever(db, join(folder, 'gateway'), bought);
    } finally {
      await gateway.stop();
      await close();
    }
  },
);
