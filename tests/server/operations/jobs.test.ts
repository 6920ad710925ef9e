import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../server/database/open.ts';
import { type Job, jobs, runJob } from '../../../server/jobs/jobs.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { newTestDatabase } from '../support/test-database.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

/** Two connections to one database, as two processes have them; the embedded database has one. */
let processes: [OpenDatabase, OpenDatabase];
beforeEach(async () => {
  const address = await newTestDatabase();
  const first = await openDatabase(address);
  processes = [first, address.kind === 'server' ? await openDatabase(address) : first];
});
afterEach(async () => {
  for (const { close } of new Set(processes)) await close();
});

/** Services whose log is recorded. */
function createLog() {
  const lines: { level: string; details: object }[] = [];
  const keep = (level: string) => (details: object) => void lines.push({ level, details });
  return {
    lines,
    services: { ...shop.services, log: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') } },
  };
}

const neverAborted = new AbortController().signal;

/** A job whose run lasts until `end` is called. */
function createLongJob(isAlone: boolean) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let rounds = 0;
  const job: Job = {
    name: 'a long one',
    interval: 1000,
    isAlone,
    run: async () => {
      rounds += 1;
      begun.resolve();
      await end.promise;
      return { rows: 7 };
    },
  };
  return { job, begun: begun.promise, end: end.resolve, rounds: () => rounds };
}

test.skipIf(inject('databaseServer') === '')(
  'a job that one process is running is skipped by the others, and run by them later',
  async () => {
    const [one, other] = processes;
    const { lines, services } = createLog();
    const { job, begun, end, rounds } = createLongJob(true);
    const first = runJob(job, services, one.ifFree, neverAborted);
    await begun;
    await runJob(job, services, other.ifFree, neverAborted);
    expect(rounds()).toBe(1);
    end();
    await first;
    await runJob(job, services, other.ifFree, neverAborted);
    expect(rounds()).toBe(2);
    expect(lines).toHaveLength(2);
  },
);

test('a job that each process runs for itself does not wait for others', async () => {
  const [one, other] = processes;
  const { job, begun, end, rounds } = createLongJob(false);
  const { services } = createLog();
  const first = runJob(job, services, one.ifFree, neverAborted);
  await begun;
  const second = runJob(job, services, other.ifFree, neverAborted);
  expect(rounds()).toBe(2);
  end();
  await Promise.all([first, second]);
});

test('a run is logged with its counts, and an empty one is not', async () => {
  const { lines, services } = createLog();
  const job = (done: Record<string, number>): Job => ({ name: 'some', interval: 1000, isAlone: true, run: async () => done });
  await runJob(job({ sent: 0, failed: 0 }), services, processes[0].ifFree, neverAborted);
  await runJob(job({ sent: 2, failed: 0 }), services, processes[0].ifFree, neverAborted);
  expect(lines).toEqual([{ level: 'info', details: { job: 'some', sent: 2 } }]);
});

test('each job of the shop reports its work in numbers', async () => {
  const { lines, services } = createLog();
  const customer = await createCustomer(shop, await shop.store());
  await shop.db.updateTable('tokens').set({ revoked_at: new Date() }).where('user_id', '=', customer.id).execute();
  for (const job of jobs) await runJob(job, services, processes[0].ifFree, neverAborted);
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(lines.map(({ details }) => details)).toContainEqual(expect.objectContaining({ job: 'clean-up', tokens: 1 }));
});

test('every periodic task is a job; those that only one process may run at a time use a lock', () => {
  expect(jobs.filter(({ isAlone }) => isAlone).map(({ name }) => name)).toEqual(['sweep', 'clean-up', 'count of purchases']);
});
