import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createAdvisoryLocks } from '../../../server/database/advisory-locks.ts';
import { type OpenDatabase, openDatabase } from '../../../server/database/open.ts';
import { startFaultyProxy } from '../support/faulty-tcp-proxy.ts';
import { newTestDatabase } from '../support/test-database.ts';

test('this run uses the kind of database server that was requested', async () => {
  const database = await openDatabase(await newTestDatabase());
  const { rows } = await sql<{ version: string; name: string }>`select version(), current_database() as name`.execute(
    database.db,
  );
  await database.close();
  const isServer = inject('databaseServer') !== '';
  expect(rows[0]?.name).toMatch(isServer ? /^test_/ : /^(postgres|template1)$/);
  expect(rows[0]?.version).toMatch(isServer ? /^PostgreSQL 1\d.*linux-gnu/ : /^PostgreSQL 1\d.*(emscripten|wasm)/i);
});

const testOnServer = test.skipIf(inject('databaseServer') === '');

/** Opens two connections to one database, like two processes. */
async function openTwoConnections(): Promise<[OpenDatabase, OpenDatabase]> {
  const address = await newTestDatabase();
  const connections: [OpenDatabase, OpenDatabase] = [await openDatabase(address), await openDatabase(address)];
  onTestFinished(async () => {
    for (const { close } of connections) await close();
  });
  return connections;
}

/** Starts a task that holds the lock `name` until `end` is called. */
async function holdLock({ oneAtATime }: OpenDatabase, name: string, atEnd = () => {}) {
  const [startSignal, endSignal] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = oneAtATime(name, async () => {
    startSignal.resolve();
    await endSignal.promise;
    atEnd();
  });
  await startSignal.promise;
  return { end: endSignal.resolve, done };
}

testOnServer('tasks of one name run one at a time across processes, and other tasks run beside them', async () => {
  const [firstProcess, secondProcess] = await openTwoConnections();
  const executionOrder: string[] = [];
  const firstTask = await holdLock(firstProcess, 'a purchase', () => executionOrder.push('the first'));
  const secondTask = secondProcess.oneAtATime('a purchase', async () => executionOrder.push('the second'));
  await secondProcess.oneAtATime('another purchase', async () => executionOrder.push('another'));
  await firstProcess.oneAtATime('a third purchase', async () => executionOrder.push('a third'));
  firstTask.end();
  await Promise.all([firstTask.done, secondTask]);
  expect(executionOrder).toEqual(['another', 'a third', 'the first', 'the second']);
});

testOnServer('a process that dies during its task, or loses the database, does not block other processes', async () => {
  const [firstProcess, secondProcess] = await openTwoConnections();
  const firstTask = await holdLock(firstProcess, 'a purchase');
  await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database =
    (select oid from pg_database where datname = current_database())`.execute(secondProcess.db);
  expect(await secondProcess.oneAtATime('a purchase', async () => 'done')).toBe('done');
  firstTask.end();
  await firstTask.done;
  expect(await firstProcess.oneAtATime('a purchase', async () => 'done again')).toBe('done again');
});

/** Opens the locks of one database over a connection that can fail, and over a working one. */
async function openFaultyLocks() {
  const address = await newTestDatabase();
  if (address.kind !== 'server') throw new Error(`Locks need a database server, not a database of the kind ${address.kind}.`);
  const proxy = await startFaultyProxy(address.url);
  const [faultyLocks, workingLocks] = [createAdvisoryLocks(proxy.url, 5000, 1000), createAdvisoryLocks(address.url, 5000)];
  onTestFinished(async () => {
    for (const { close } of [faultyLocks, workingLocks]) await close();
    await proxy.close();
  });
  return { proxy, runOverFaulty: faultyLocks.oneAtATime, runOverWorking: workingLocks.oneAtATime };
}

testOnServer('a silently dead connection fails the tasks that wait on it, and no later tasks', async () => {
  const { proxy, runOverFaulty } = await openFaultyLocks();
  await runOverFaulty('a purchase', async () => 'done');
  proxy.cut();
  const outcomes = await Promise.allSettled(['a purchase', 'another'].map((name) => runOverFaulty(name, async () => 'done')));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await runOverFaulty('a purchase', async () => 'done again')).toBe('done again');
});

testOnServer('a connection that dies during a task does not affect it, nor later tasks', async () => {
  const { proxy, runOverFaulty } = await openFaultyLocks();
  expect(
    await runOverFaulty('a purchase', async () => {
      proxy.cut();
      return 'done';
    }),
  ).toBe('done');
  expect(await runOverFaulty('another purchase', async () => 'done again')).toBe('done again');
});

testOnServer('a lock granted after its caller has timed out is released', async () => {
  const { proxy, runOverFaulty, runOverWorking } = await openFaultyLocks();
  await runOverFaulty('another purchase', async () => 'done');
  proxy.dropResponses();
  await expect(runOverFaulty('a purchase', async () => 'done')).rejects.toThrow(/timeout/);
  expect(await runOverWorking('a purchase', async () => 'done')).toBe('done');
});

testOnServer('a server that accepts connections without responding times out', async () => {
  const silentServer = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silentServer, 'listening');
  onTestFinished(() => void silentServer.close());
  const { port } = silentServer.address() as AddressInfo;
  await expect(openDatabase({ kind: 'server', url: `postgres://shop@127.0.0.1:${port}/shop` })).rejects.toThrow(/timeout/);
});

testOnServer('a connection sends no parameters that poolers refuse, and its statements time out after 30 s', async () => {
  const address = await newTestDatabase();
  if (address.kind !== 'server') throw new Error('Only a database server can have a pooler.');
  const messages: Buffer[] = [];
  // Reads the client's first message, and closes the connection.
  const pooler = createServer((socket) => socket.once('data', (bytes) => (messages.push(bytes), socket.destroy())));
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  onTestFinished(() => void pooler.close());
  const port = String((pooler.address() as AddressInfo).port);
  const url = Object.assign(new URL(address.url), { hostname: '127.0.0.1', port });
  await expect(openDatabase({ kind: 'server', url: url.href })).rejects.toThrow();
  // Names and values follow the length of the message and the version of the protocol.
  const parameterNames = messages[0]
    ?.subarray(8)
    .toString()
    .split('\0')
    .filter((_, index) => index % 2 === 0);
  expect(parameterNames?.filter((name) => name !== '').toSorted()).toEqual(['client_encoding', 'database', 'user']);
  const database = await openDatabase(address);
  onTestFinished(() => database.close());
  const { rows } = await sql`show statement_timeout`.execute(database.db);
  expect(rows).toEqual([{ statement_timeout: '30s' }]);
});
