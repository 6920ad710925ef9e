import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../../server/database/open.ts';
import type { RunningShop } from '../../tools/shop/running-shop.ts';
import { gatewayAt } from '../server/support/last-sweeps.ts';
import { newDatabase } from '../../tools/shop/new-database.ts';
import { startPostgres } from '../../tools/shop/postgres.ts';
import { roundRobin } from '../server/support/round-robin.ts';
import { startGatewayAlone } from '../server/support/started-gateway.ts';
import { leftAfterSweeps } from './leftovers.ts';
import { startShopOfFaults, untilUp } from './shop.ts';
import type { TestedShop } from './tested-shop.ts';

const GATEWAY_SECRET = 'what shops and gateway share';
/** The names of the shops' connections in the database. */
const NAMES = ['shop-1', 'shop-2'] as const;
/** Milliseconds between two looks at connections that are being cut. */
const LOOK_INTERVAL = 5;

const addressOf = ({ port }: RunningShop): string => `http://127.0.0.1:${port}`;

/** Ends the connections that a shop has to the database, and waits until they are gone. */
async function cutConnections(killer: pg.Client, name: string): Promise<void> {
  const { rows } = await killer.query<{ pid: number }>(
    'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
    [name],
  );
  const pids = rows.map(({ pid }) => pid);
  const left = () => killer.query('select from pg_stat_activity where pid = any($1)', [pids]);
  while ((await left()).rowCount !== 0) await setTimeout(LOOK_INTERVAL);
}

/** @param closing gets a step for each thing that is started, to undo it */
async function start(closing: (() => Promise<unknown>)[]): Promise<Omit<TestedShop, 'remove'>> {
  const data = await mkdtemp(join(tmpdir(), 'colophon-two-shops-'));
  closing.push(() => rm(data, { recursive: true, force: true }));
  const postgres = await startPostgres();
  closing.push(() => postgres.stop());
  const databaseUrl = await newDatabase(postgres.url, 'shops');
  const gateway = await startGatewayAlone({ PORT: '0', GATEWAY_FOLDER: join(data, 'gateway'), GATEWAY_SECRET });
  closing.push(() => gateway.end('SIGKILL'));

  const reached = new Set<string>();
  const aims: { path: string; hit: (target: string) => void }[] = [];
  const proxy = await roundRobin(
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
    const shop = await startShopOfFaults({
      DATABASE_URL: `${databaseUrl}?application_name=${name}`,
      PAYMENT_GATEWAY_URL: gateway.origin,
      PAYMENT_GATEWAY_SECRET: GATEWAY_SECRET,
      PUBLIC_URL: proxy.address,
      TRUST_PROXY: '127.0.0.1',
    });
    closing.push(() => shop.remove());
    reached.add(addressOf(shop));
    return { name, shop };
  };
  // Both find an empty database.
  const shops = await Promise.all(NAMES.map(startNamed));
  const killer = new pg.Client({ connectionString: databaseUrl });
  await killer.connect();
  closing.push(() => killer.end());

  let back: Promise<void> = Promise.resolve();
  const untilReady = (shop: RunningShop): Promise<void> => untilUp(`${addressOf(shop)}/readyz`);
  const startAgain = async (shop: RunningShop): Promise<void> => {
    await shop.start();
    await untilReady(shop);
    reached.add(addressOf(shop));
  };
  return {
    url: proxy.address,
    data,
    aim(path) {
      const hit = new Promise<string>((resolve) => aims.push({ path, hit: resolve }));
      return {
        async kill(target) {
          const address = await hit;
          const found = shops.find(({ shop }) => addressOf(shop) === address);
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
          // Callers that wait for it get its failure.
          back.catch(() => undefined);
        },
      };
    },
    // The other one is.
    isThere: () => Promise.resolve(),
    isWhole: () => back,
    async settle() {
      await back;
      const { db, close } = await openDatabase({ kind: 'server', url: databaseUrl });
      try {
        return await leftAfterSweeps(db, gatewayAt(gateway.origin, GATEWAY_SECRET), data);
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
    return { ...(await start(closing)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
