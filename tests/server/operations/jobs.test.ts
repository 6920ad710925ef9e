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

/** Two connections to one database, like two processes; an embedded database has only one. */
let processes: [OpenDatabase, OpenDatabase];
beforeEach(async () => {
  const address = await newTestDatabase();
  const firstConnection = await openDatabase(address);
  processes = [firstConnection, address.kind === 'server' ? await openDatabase(address) : firstConnection];
});
afterEach(async () => {
  for (const { close } of new Set(processes)) await close();
});

/** Creates services whose log is recorded in `lines`. */
function createLoggedServices() {
  const lines: { level: string; details: object }[] = [];
  const record = (level: string) => (details: object) => void lines.push({ level, details });
  return {
    lines,
    services: {
      ...shop.services,
      log: { debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') },
    },
  };
}

const neverAbortedSignal = new AbortController().signal;

/** Creates a job whose run lasts until `end` is called. */
function createLongJob(isAlone: boolean) {
  const [startSignal, endSignal] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let rounds = 0;
  const job: Job = {
    name: 'a long one',
    interval: 1000,
    isAlone,
    run: async () => {
      rounds += 1;
      startSignal.resolve();
      await endSignal.promise;
      return { rows: 7 };
    },
  };
  return { job, started: startSignal.promise, end: endSignal.resolve, countRounds: () => rounds };
}

test.skipIf(inject('databaseServer') === '')(
  'a job that one process is running is skipped by another process, which runs it later',
  async () => {
    const [firstProcess, secondProcess] = processes;
    const { lines, services } = createLoggedServices();
    const { job, started, end, countRounds } = createLongJob(true);
    const firstRun = runJob(job, services, firstProcess.ifFree, neverAbortedSignal);
    await started;
    await runJob(job, services, secondProcess.ifFree, neverAbortedSignal);
    expect(countRounds()).toBe(1);
    end();
    await firstRun;
    await runJob(job, services, secondProcess.ifFree, neverAbortedSignal);
    expect(countRounds()).toBe(2);
    expect(lines).toHaveLength(2);
  },
);

test('a job that each process runs for itself does not wait for other processes', async () => {
  const [firstProcess, secondProcess] = processes;
  const { job, started, end, countRounds } = createLongJob(false);
  const { services } = createLoggedServices();
  const firstRun = runJob(job, services, firstProcess.ifFree, neverAbortedSignal);
  await started;
  const secondRun = runJob(job, services, secondProcess.ifFree, neverAbortedSignal);
  expect(countRounds()).toBe(2);
  end();
  await Promise.all([firstRun, secondRun]);
});

test('a run of a job is logged with its counts, and a run without any is not', async () => {
  const { lines, services } = createLoggedServices();
  const makeJob = (counts: Record<string, number>): Job => ({
    name: 'some',
    interval: 1000,
    isAlone: true,
    run: async () => counts,
  });
  await runJob(makeJob({ sent: 0, failed: 0 }), services, processes[0].ifFree, neverAbortedSignal);
  await runJob(makeJob({ sent: 2, failed: 0 }), services, processes[0].ifFree, neverAbortedSignal);
  expect(lines).toEqual([{ level: 'info', details: { job: 'some', sent: 2 } }]);
});

test('all jobs of the shop run without an error, and the clean-up logs its counts', async () => {
  const { lines, services } = createLoggedServices();
  const customer = await createCustomer(shop, await shop.store());
  await shop.db.updateTable('tokens').set({ revoked_at: new Date() }).where('user_id', '=', customer.id).execute();
  for (const job of jobs) await runJob(job, services, processes[0].ifFree, neverAbortedSignal);
  expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(lines.map(({ details }) => details)).toContainEqual(expect.objectContaining({ job: 'clean-up', tokens: 1 }));
});

test('only the sweep, the clean-up and the count of purchases run in one process at a time', () => {
  expect(jobs.filter(({ isAlone }) => isAlone).map(({ name }) => name)).toEqual(['sweep', 'clean-up', 'count of purchases']);
});
