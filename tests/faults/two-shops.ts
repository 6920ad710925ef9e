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
const NAMES = ['shop-1', 'shop-2'] as const;
/** Milliseconds between two checks of connections that are being terminated. */
const POLL_INTERVAL_MS = 5;

const getAddress = ({ port }: RunningShop): string => `http://127.0.0.1:${port}`;

/** Terminates all database connections of a shop, and waits until they are gone. */
async function cutConnections(killer: pg.Client, name: string): Promise<void> {
  const { rows } = await killer.query<{ pid: number }>(
    'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
    [name],
  );
  const pids = rows.map(({ pid }) => pid);
  const left = () => killer.query('select from pg_stat_activity where pid = any($1)', [pids]);
  while ((await left()).rowCount !== 0) await setTimeout(POLL_INTERVAL_MS);
}

/** @param closing receives a clean-up step for each resource that is started */
async function startShops(closing: (() => Promise<unknown>)[]): Promise<Omit<TestedShop, 'remove'>> {
  const data = await mkdtemp(join(tmpdir(), 'colophon-two-shops-'));
  closing.push(() => rm(data, { recursive: true, force: true }));
  const postgres = await startPostgres();
  closing.push(() => postgres.stop());
  const databaseUrl = await createDatabase(postgres.url, 'shops');
  const gateway = await startGatewayProcess({ PORT: '0', GATEWAY_FOLDER: join(data, 'gateway'), GATEWAY_SECRET });
  closing.push(() => gateway.end('SIGKILL'));

  const reached = new Set<string>();
  const aims: { path: string; hit: (target: string) => void }[] = [];
  const proxy = await startRoundRobin(
    () => [...reached],
    (path, target) => {
      for (const aim of aims.filter((each) => path === `/api/${each.path}`)) {
        aims.splice(aims.indexOf(aim), 1);
        aim.hit(target);
      }
    },
  );
  closing.push(() => proxy.close());

  const startNamed = async (name: string): Promise<{ name: string; shop: RunningShop }> => {
    const shop = await startFaultShop({
      DATABASE_URL: `${databaseUrl}?application_name=${name}`,
      PAYMENT_GATEWAY_URL: gateway.origin,
      PAYMENT_GATEWAY_SECRET: GATEWAY_SECRET,
      PUBLIC_URL: proxy.address,
      TRUST_PROXY: '127.0.0.1',
    });
    closing.push(() => shop.remove());
    reached.add(getAddress(shop));
    return { name, shop };
  };
  // Both start on an empty database.
  const shops = await Promise.all(NAMES.map(startNamed));
  const killer = new pg.Client({ connectionString: databaseUrl });
  await killer.connect();
  closing.push(() => killer.end());

  let back: Promise<void> = Promise.resolve();
  const untilReady = (shop: RunningShop): Promise<void> => waitUntilUp(`${getAddress(shop)}/readyz`);
  const startAgain = async (shop: RunningShop): Promise<void> => {
    await shop.start();
    await untilReady(shop);
    reached.add(getAddress(shop));
  };
  return {
    url: proxy.address,
    data,
    targetCall(path) {
      const hit = new Promise<string>((resolve) => aims.push({ path, hit: resolve }));
      return {
        async kill(target) {
          const address = await hit;
          const found = shops.find(({ shop }) => getAddress(shop) === address);
          if (found === undefined) throw new Error(`No shop listens at ${address}.`);
          const { name, shop } = found;
          if (target === 'connections') {
            await cutConnections(killer, name);
            back = untilReady(shop);
          } else {
            reached.delete(address);
            await shop.kill();
            back = startAgain(shop);
          }
          // Callers that await it still receive the failure.
          back.catch(() => undefined);
        },
      };
    },
    // The other process is reachable.
    whenReachable: () => Promise.resolve(),
    whenRestored: () => back,
    async sweepToEnd() {
      await back;
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
  const closing: (() => Promise<unknown>)[] = [];
  const remove = async (): Promise<void> => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await startShops(closing)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
