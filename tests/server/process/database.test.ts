import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FolderInUse, lockFolder } from '../../../server/base/folder-lock.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { up as bindResetLinks } from '../../../server/database/migrations/50-verified-credentials.ts';
import { type OpenDatabase, openDatabase } from '../../../server/database/open.ts';
import { newTestDatabase } from '../support/test-database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openDatabase(await newTestDatabase());
});
afterAll(() => database.close());

const insertStore = (id: string) => database.db.insertInto('stores').values({ id, host: null, currency: 'EUR' });

test('bigints are read as numbers, timestamps as dates, and JSON as it was written', async () => {
  const { rows } =
    await sql`select count(*) as count, 9007199254740991::bigint as big, timestamptz '2026-01-02T03:04:05.678Z' as moment,
    '{"a":[1,"zwei"]}'::jsonb as json`.execute(database.db);
  expect(rows).toEqual([
    { count: 1, big: 9007199254740991, moment: new Date('2026-01-02T03:04:05.678Z'), json: { a: [1, 'zwei'] } },
  ]);
});

test('errors carry the code of PostgreSQL and the constraint', async () => {
  await insertStore('twice').execute();
  await expect(insertStore('twice').execute()).rejects.toMatchObject({ code: '23505', constraint: 'stores_pkey' });
});

test('migrations that have run are not run again', async () => {
  await migrate(database.db);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.db);
  const files = await readdir(join(import.meta.dirname, '../../../server/database/migrations'));
  expect(rows.map((row) => `${row.name}.ts`)).toEqual(files.toSorted());
});

test('a migration deletes earlier reset links, and no session', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const rollbackError = new Error('undone');
  const upgrade = database.db.transaction().execute(async (trx) => {
    await trx.insertInto('stores').values({ id: 'upgraded', host: null, currency: 'EUR' }).execute();
    await sql`insert into users (store_id, id, email, email_key, name) values ('upgraded', 'u1', 'a@b.test', 'a@b.test', 'A')`.execute(
      trx,
    );
    await sql`alter table tokens drop constraint tokens_reset_for_an_address, drop column email_key`.execute(trx);
    await sql`alter table letters drop column not_me`.execute(trx);
    for (const kind of ['access', 'reset'])
      await sql`insert into tokens (hash, store_id, user_id, kind, expires_at)
        values (${kind}, 'upgraded', 'u1', ${kind}, ${expiresAt})`.execute(trx);
    await bindResetLinks(trx as unknown as Kysely<unknown>);
    expect((await sql`select kind, email_key from tokens where store_id = 'upgraded'`.execute(trx)).rows).toEqual([
      { kind: 'access', email_key: null },
    ]);
    throw rollbackError;
  });
  await expect(upgrade).rejects.toBe(rollbackError);
});

test('a transaction has only its own statements, beside concurrent work', async () => {
  await insertStore('counted').execute();
  const raiseCurrency = async (isRolledBack: boolean) =>
    database.db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom('stores')
        .select('currency')
        .where('id', '=', 'counted')
        .forUpdate()
        .executeTakeFirstOrThrow();
      const next = String.fromCodePoint((row.currency.codePointAt(2) ?? 0) + 1);
      await trx
        .updateTable('stores')
        .set({ currency: `EU${next}` })
        .where('id', '=', 'counted')
        .execute();
      if (isRolledBack) throw new Error('roll back on purpose');
    });
  await database.db.updateTable('stores').set({ currency: 'EUA' }).where('id', '=', 'counted').execute();
  const runs = Array.from({ length: 20 }, (_, index) => raiseCurrency(index % 2 === 1));
  const reads = Array.from({ length: 20 }, () => database.db.selectFrom('stores').selectAll().execute());
  const outcomes = await Promise.allSettled([...runs, ...reads]);
  expect(outcomes.filter((each) => each.status === 'rejected')).toHaveLength(10);
  const row = await database.db.selectFrom('stores').select('currency').where('id', '=', 'counted').executeTakeFirstOrThrow();
  expect(row.currency).toBe('EUK');
});

test('a transaction with a swallowed error cannot be committed', async () => {
  const transaction = database.db.transaction().execute(async (trx) => {
    await trx.insertInto('stores').values({ id: 'half', host: null, currency: 'EUR' }).execute();
    await sql`select 1 / 0`.execute(trx).catch(() => undefined);
  });
  await expect(transaction).rejects.toThrow();
  expect(await database.db.selectFrom('stores').select('id').where('id', '=', 'half').execute()).toEqual([]);
});

test('a long query does not block the event loop', async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  await sql`select count(*) from generate_series(1, 3000000) as n where n % 7 = 0`.execute(database.db);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(20);
});

test('deleting a store deletes its categories and properties', async () => {
  await insertStore('gone').execute();
  await database.db
    .insertInto('categories')
    .values({ store_id: 'gone', id: 'c', parent_id: null, tag_id: null, name: 'C' })
    .execute();
  await database.db.insertInto('properties').values({ store_id: 'gone', name: 'ShelfName', value: 'G' }).execute();
  await database.db.deleteFrom('stores').where('id', '=', 'gone').execute();
  for (const table of ['categories', 'properties'] as const)
    expect(await database.db.selectFrom(table).selectAll().where('store_id', '=', 'gone').execute(), table).toEqual([]);
});

describe('a data folder', () => {
  const withFolder = async (run: (folder: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), 'colophon-lock-'));
    try {
      await run(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  test('a data folder is for one process; a second process is refused with the id of the first', () =>
    withFolder(async (folder) => {
      const unlock = lockFolder(folder);
      expect(() => lockFolder(folder)).toThrow(FolderInUse);
      expect(() => lockFolder(folder)).toThrow(`in use by the process ${process.pid}`);
      unlock();
      lockFolder(folder)();
    }));

  test('a data folder is taken over from a process that has died', () =>
    withFolder(async (folder) => {
      const deadProcess = spawn(process.execPath, ['-e', '']);
      await once(deadProcess, 'exit');
      await writeFile(join(folder, 'colophon.lock'), `${deadProcess.pid} 1`);
      const unlock = lockFolder(folder);
      expect(await readFile(join(folder, 'colophon.lock'), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
      unlock();
    }));

  test('a data folder is taken over when another program has the dead process’s id', () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, 'colophon.lock'), `${process.pid} 1`);
      lockFolder(folder)();
    }));

  test('a data folder keeps its data when it is opened again', () =>
    withFolder(async (folder) => {
      const firstDatabase = await openDatabase({ kind: 'folder', folder });
      await firstDatabase.db.insertInto('stores').values({ id: 'kept', host: null, currency: 'EUR' }).execute();
      await expect(openDatabase({ kind: 'folder', folder })).rejects.toThrow(FolderInUse);
      await firstDatabase.close();
      const secondDatabase = await openDatabase({ kind: 'folder', folder });
      expect(await secondDatabase.db.selectFrom('stores').select('id').execute()).toEqual([{ id: 'kept' }]);
      await secondDatabase.close();
    }));
});
