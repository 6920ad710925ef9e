import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { advisoryLocks } from '../../../server/database/advisory-locks.ts';
import { type OpenDatabase, openDatabase } from '../../../server/database/open.ts';
import { startFaultyProxy } from '../support/faulty-tcp-proxy.ts';
import { newTestDatabase } from '../support/test-database.ts';

test('this run uses the kind of database server that it claims to', async () => {
  const opened = await openDatabase(await newTestDatabase());
  const { rows } = await sql<{ version: string; name: string }>`select version(), current_database() as name`.execute(opened.db);
  await opened.close();
  const real = inject('databaseServer') !== '';
  expect(rows[0]?.name).toMatch(real ? /^test_/ : /^(postgres|template1)$/);
  expect(rows[0]?.version).toMatch(real ? /^PostgreSQL 1\d.*linux-gnu/ : /^PostgreSQL 1\d.*(emscripten|wasm)/i);
});

const onServer = test.skipIf(inject('databaseServer') === '');

/** Two connections to one database, as two processes have them. */
async function opened(): Promise<[OpenDatabase, OpenDatabase]> {
  const address = await newTestDatabase();
  const both: [OpenDatabase, OpenDatabase] = [await openDatabase(address), await openDatabase(address)];
  onTestFinished(async () => {
    for (const { close } of both) await close();
  });
  return both;
}

/** Starts a task that lasts until it is ended. */
async function holdLock({ oneAtATime }: OpenDatabase, name: string, atEnd = () => {}) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = oneAtATime(name, async () => {
    begun.resolve();
    await end.promise;
    atEnd();
  });
  await begun.promise;
  return { end: end.resolve, done };
}

onServer('tasks of one name run one at a time across processes, and other tasks run beside them', async () => {
  const [one, other] = await opened();
  const order: string[] = [];
  const first = await holdLock(one, 'a purchase', () => order.push('the first'));
  const second = other.oneAtATime('a purchase', async () => order.push('the second'));
  await other.oneAtATime('another purchase', async () => order.push('another'));
  await one.oneAtATime('a third purchase', async () => order.push('a third'));
  first.end();
  await Promise.all([first.done, second]);
  expect(order).toEqual(['another', 'a third', 'the first', 'the second']);
});

onServer('a process that dies during its task, or loses the database, does not block the others', async () => {
  const [one, other] = await opened();
  const first = await holdLock(one, 'a purchase');
  await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database =
    (select oid from pg_database where datname = current_database())`.execute(other.db);
  expect(await other.oneAtATime('a purchase', async () => 'done')).toBe('done');
  first.end();
  await first.done;
  expect(await one.oneAtATime('a purchase', async () => 'done again')).toBe('done again');
});

/** Locks over a connection that can fail, and over a working one. */
async function locksOverFaultyLine() {
  const address = await newTestDatabase();
  if (address.kind !== 'server') throw new Error('Locks need a database server.');
  const line = await startFaultyProxy(address.url);
  const [far, near] = [advisoryLocks(line.url, 5000, 1000), advisoryLocks(address.url, 5000)];
  onTestFinished(async () => {
    for (const { close } of [far, near]) await close();
    await line.close();
  });
  return { line, far: far.oneAtATime, near: near.oneAtATime };
}

onServer('a silently dead connection fails the tasks that wait on it, and no later ones', async () => {
  const { line, far } = await locksOverFaultyLine();
  await far('a purchase', async () => 'done');
  line.cut();
  const waiting = await Promise.allSettled(['a purchase', 'another'].map((name) => far(name, async () => 'done')));
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await far('a purchase', async () => 'done again')).toBe('done again');
});

onServer('a connection that dies during a task does not affect it, nor later tasks', async () => {
  const { line, far } = await locksOverFaultyLine();
  expect(
    await far('a purchase', async () => {
      line.cut();
      return 'done';
    }),
  ).toBe('done');
  expect(await far('another purchase', async () => 'done again')).toBe('done again');
});

onServer('a lock granted after its caller has timed out is released', async () => {
  const { line, far, near } = await locksOverFaultyLine();
  await far('another purchase', async () => 'done');
  line.loseAnswers();
  await expect(far('a purchase', async () => 'done')).rejects.toThrow(/timeout/);
  expect(await near('a purchase', async () => 'done')).toBe('done');
});

onServer('a server that accepts connections without responding times out', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  await expect(openDatabase({ kind: 'server', url: `postgres://shop@127.0.0.1:${port}/shop` })).rejects.toThrow(/timeout/);
});

onServer('a connection sends no parameters that poolers refuse, and its statements time out after 30 s', async () => {
  const address = await newTestDatabase();
  if (address.kind !== 'server') throw new Error('Only a database server can have a pooler.');
  const first: Buffer[] = [];
  // Reads the client's first message, and closes the connection.
  const pooler = createServer((socket) => socket.once('data', (bytes) => (first.push(bytes), socket.destroy())));
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  onTestFinished(() => void pooler.close());
  const port = String((pooler.address() as AddressInfo).port);
  const url = Object.assign(new URL(address.url), { hostname: '127.0.0.1', port });
  await expect(openDatabase({ kind: 'server', url: url.href })).rejects.toThrow();
  // Names and values follow the length of the message and the version of the protocol.
  const names = first[0]
    ?.subarray(8)
    .toString()
    .split('\0')
    .filter((_, at) => at % 2 === 0);
  expect(names?.filter((name) => name !== '').toSorted()).toEqual(['client_encoding', 'database', 'user']);
  const opened = await openDatabase(address);
  onTestFinished(() => opened.close());
  const { rows } = await sql`show statement_timeout`.execute(opened.db);
  expect(rows).toEqual([{ statement_timeout: '30s' }]);
});
