import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { advisoryLocks } from '../../../server/database/one-at-a-time.ts';
import { type OpenDatabase, openDatabase } from '../../../server/database/open.ts';
import { faultyLine } from '../support/faulty-line.ts';
import { testDatabase } from '../support/test-database.ts';

test('this run uses the kind of database server that it claims to', async () => {
  const opened = await openDatabase(await testDatabase());
  const { rows } = await sql<{ version: string; name: string }>`select version(), current_database() as name`.execute(opened.db);
  await opened.close();
  const real = inject('databaseServer') !== '';
  expect(rows[0]?.name).toMatch(real ? /^test_/ : /^(postgres|template1)$/);
  expect(rows[0]?.version).toMatch(real ? /^PostgreSQL 1\d.*linux-gnu/ : /^PostgreSQL 1\d.*(emscripten|wasm)/i);
});

const onServer = test.skipIf(inject('databaseServer') === '');

/** Two openings of one database, as two processes have them. */
async function opened(): Promise<[OpenDatabase, OpenDatabase]> {
  const address = await testDatabase();
  const both: [OpenDatabase, OpenDatabase] = [await openDatabase(address), await openDatabase(address)];
  onTestFinished(async () => {
    for (const { close } of both) await close();
  });
  return both;
}

/** Begins a piece of work that lasts until it is told to end. */
async function busy({ oneAtATime }: OpenDatabase, name: string, atEnd = () => {}) {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = oneAtATime(name, async () => {
    begun.resolve();
    await end.promise;
    atEnd();
  });
  await begun.promise;
  return { end: end.resolve, done };
}

onServer('work of one name is done one at a time by all who share the database, and other work meanwhile', async () => {
  const [one, other] = await opened();
  const order: string[] = [];
  const first = await busy(one, 'a purchase', () => order.push('the first'));
  const second = other.oneAtATime('a purchase', async () => order.push('the second'));
  await other.oneAtATime('another purchase', async () => order.push('another'));
  await one.oneAtATime('a third purchase', async () => order.push('a third'));
  first.end();
  await Promise.all([first.done, second]);
  expect(order).toEqual(['another', 'a third', 'the first', 'the second']);
});

onServer('who dies at such work, or loses the database, keeps nobody from it', async () => {
  const [one, other] = await opened();
  const first = await busy(one, 'a purchase');
  await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database =
    (select oid from pg_database where datname = current_database())`.execute(other.db);
  expect(await other.oneAtATime('a purchase', async () => 'done')).toBe('done');
  first.end();
  await first.done;
  expect(await one.oneAtATime('a purchase', async () => 'done again')).toBe('done again');
});

/** Locks over a line that can fail, and over a sound one. */
async function locksOverFaultyLine() {
  const address = await testDatabase();
  if (address.kind !== 'server') throw new Error('Locks need a database server.');
  const line = await faultyLine(address.url);
  const [far, near] = [advisoryLocks(line.url, 5000, 1000), advisoryLocks(address.url, 5000)];
  onTestFinished(async () => {
    for (const { close } of [far, near]) await close();
    await line.close();
  });
  return { line, far: far.oneAtATime, near: near.oneAtATime };
}

onServer('a connection that is dead without a word fails those who wait for it, and nobody after them', async () => {
  const { line, far } = await locksOverFaultyLine();
  await far('a purchase', async () => 'done');
  line.cut();
  const waiting = await Promise.allSettled(['a purchase', 'another'].map((name) => far(name, async () => 'done')));
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await far('a purchase', async () => 'done again')).toBe('done again');
});

onServer('a connection that dies during the work takes nothing from it, and fails nobody after it', async () => {
  const { line, far } = await locksOverFaultyLine();
  expect(
    await far('a purchase', async () => {
      line.cut();
      return 'done';
    }),
  ).toBe('done');
  expect(await far('another purchase', async () => 'done again')).toBe('done again');
});

onServer('a lock that is granted after the caller has given up is given back', async () => {
  const { line, far, near } = await locksOverFaultyLine();
  await far('another purchase', async () => 'done');
  line.loseAnswers();
  await expect(far('a purchase', async () => 'done')).rejects.toThrow(/timeout/);
  expect(await near('a purchase', async () => 'done')).toBe('done');
});

onServer('a server that accepts connections and says nothing is not waited for without end', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  await expect(openDatabase({ kind: 'server', url: `postgres://shop@127.0.0.1:${port}/shop` })).rejects.toThrow(/timeout/);
});

onServer('a connection asks for nothing that poolers refuse, and its statements end after 30 s', async () => {
  const address = await testDatabase();
  if (address.kind !== 'server') throw new Error('Only a database server has a pooler.');
  const first: Buffer[] = [];
  // Reads what a client says first, and hangs up.
  const pooler = createServer((socket) => socket.once('data', (bytes) => (first.push(bytes), socket.destroy())));
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  onTestFinished(() => void pooler.close());
  const port = String((pooler.address() as AddressInfo).port);
  const url = Object.assign(new URL(address.url), { hostname: '127.0.0.1', port });
  await expect(openDatabase({ kind: 'server', url: url.href })).rejects.toThrow();
  // The length of the message and the version of the protocol come before the names and values.
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
