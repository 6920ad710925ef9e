import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../../server/database/open.ts';
import type { RunningShop } from '../../tools/shop/running-shop.ts';
import { connectGateway } from '../server/support/last-sweeps.ts';
import { createDatabase } from '../../tools/shop/new-database.ts';
import { startPostgres } from '../../tools/shop/postgres.ts';
import { startRoundRobin } from '../server/support/round-robin.ts';
import { startGatewayProcess } from '../server/support/started-gateway.ts';
import { findUnfinishedWork } from './leftovers.ts';
import { startFaultShop, waitUntilUp } from './shop.ts';
import type { TestedShop } from './tested-shop.ts';

const GATEWAY_SECRET = 'what shops and gateway share';
/** Application names of the shops' database connections. */
const SHOP_NAMES = ['shop-1', 'shop-2'] as const;
/** Milliseconds between two checks of connections that are being terminated. */
const POLL_INTERVAL_MS = 5;

const getUrl = ({ port }: RunningShop): string => `http://127.0.0.1:${port}`;

/** Terminates all database connections of a shop, and waits until they are gone. */
async function cutConnections(killer: pg.Client, name: string): Promise<void> {
  const { rows } = await killer.query<{ pid: number }>(
    'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
    [name],
  );
  const pids = rows.map(({ pid }) => pid);
  const queryRemaining = () => killer.query('select from pg_stat_activity where pid = any($1)', [pids]);
  while ((await queryRemaining()).rowCount !== 0) await setTimeout(POLL_INTERVAL_MS);
}

/** @param cleanupSteps receives a clean-up step for each resource that is started */
async function startShops(cleanupSteps: (() => Promise<unknown>)[]): Promise<Omit<TestedShop, 'remove'>> {
  const data = await mkdtemp(join(tmpdir(), 'colophon-two-shops-'));
  cleanupSteps.push(() => rm(data, { recursive: true, force: true }));
  const postgres = await startPostgres();
  cleanupSteps.push(() => postgres.stop());
  const databaseUrl = await createDatabase(postgres.url, 'shops');
  const gateway = await startGatewayProcess({ PORT: '0', GATEWAY_FOLDER: join(data, 'gateway'), GATEWAY_SECRET });
  cleanupSteps.push(() => gateway.end('SIGKILL'));

  const reachableUrls = new Set<string>();
  const aims: { path: string; hit: (target: string) => void }[] = [];
  const proxy = await startRoundRobin(
    () => [...reachableUrls],
    (path, target) => {
      for (const aim of aims.filter((each) => path === `/api/${each.path}`)) {
        aims.splice(aims.indexOf(aim), 1);
        aim.hit(target);
      }
    },
  );
  cleanupSteps.push(() => proxy.close());

  const startNamed = async (name: string): Promise<{ name: string; shop: RunningShop }> => {
    const shop = await startFaultShop({
      DATABASE_URL: `${databaseUrl}?application_name=${name}`,
      PAYMENT_GATEWAY_URL: gateway.origin,
      PAYMENT_GATEWAY_SECRET: GATEWAY_SECRET,
      PUBLIC_URL: proxy.address,
      TRUST_PROXY: '127.0.0.1',
    });
    cleanupSteps.push(() => shop.remove());
    reachableUrls.add(getUrl(shop));
    return { name, shop };
  };
  // Both start on an empty database.
  const shops = await Promise.all(SHOP_NAMES.map(startNamed));
  const killer = new pg.Client({ connectionString: databaseUrl });
  await killer.connect();
  cleanupSteps.push(() => killer.end());

  let restartPromise: Promise<void> = Promise.resolve();
  const waitUntilReady = (shop: RunningShop): Promise<void> => waitUntilUp(`${getUrl(shop)}/readyz`);
  const restart = async (shop: RunningShop): Promise<void> => {
    await shop.start();
    await waitUntilReady(shop);
    reachableUrls.add(getUrl(shop));
  };
  return {
    url: proxy.address,
    data,
    targetCall(path) {
      const targetPromise = new Promise<string>((resolve) => aims.push({ path, hit: resolve }));
      return {
        async kill(target) {
          const url = await targetPromise;
          const targetShop = shops.find(({ shop }) => getUrl(shop) === url);
          if (targetShop === undefined) throw new Error(`No shop listens at ${url}.`);
          const { name, shop } = targetShop;
          if (target === 'connections') {
            await cutConnections(killer, name);
            restartPromise = waitUntilReady(shop);
          } else {
            reachableUrls.delete(url);
            await shop.kill();
            restartPromise = restart(shop);
          }
          // Callers that await the promise still receive the failure.
          restartPromise.catch(() => undefined);
        },
      };
    },
    // One of the two processes is always reachable.
    whenReachable: () => Promise.resolve(),
    whenRestored: () => restartPromise,
    async sweepToEnd() {
      await restartPromise;
      const { db, close } = await openDatabase({ kind: 'server', url: databaseUrl });
      try {
        return await findUnfinishedWork(db, connectGateway(gateway.origin, GATEWAY_SECRET), data);
      } finally {
        await close();
      }
    },
  };
}

/**
 * Starts two processes on one PostgreSQL, with one gateway, behind a proxy: when one is killed,
 * customers reach the other.
 */
export async function startTwoShops(): Promise<TestedShop> {
  const cleanupSteps: (() => Promise<unknown>)[] = [];
  const remove = async (): Promise<void> => {
    for (const step of cleanupSteps.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await startShops(cleanupSteps)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
