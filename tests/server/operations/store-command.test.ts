import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runOperation } from '../../../server/admin/operations.ts';
import { openDatabase, type OpenDatabase } from '../../../server/database/open.ts';
import { saveStore } from '../../../server/setup/save-store.ts';
import { runStoreCli } from '../../../tools/store/command.ts';
import { commands } from '../../../tools/store/commands.ts';
import { lookUpCode } from '../support/codes.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { makeStore } from '../support/stores.ts';

let outFolder: string;
beforeAll(async () => {
  outFolder = await mkdtemp(join(tmpdir(), 'colophon-out-'));
});
afterAll(() => rm(outFolder, { recursive: true, force: true }));

const ADMIN_TOKEN = 'a token of the tests, long enough';

/** Runs the command as the operator does. */
const runCommand = async (line: string, environment: Record<string, string> = {}) => {
  let [out, err] = ['', ''];
  const code = await runStoreCli(line.split(' ').filter(Boolean), {
    environment,
    root: tmpdir(),
    folder: outFolder,
    out: (text) => (out += text),
    err: (text) => (err += text),
  });
  return { code, out, err };
};

describe('on a running shop', () => {
  let shop: Shop;
  let store: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    shop = await openShop({ config: { adminToken: ADMIN_TOKEN } });
    store = await shop.store();
    await shop.app.listen({ port: 0, host: '127.0.0.1' });
    environment = { ADMIN_TOKEN };
  });
  afterAll(() => shop.close());
  const getAddress = () => `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}`;
  const runOnShop = (line: string, commandEnvironment: Record<string, string> = environment) =>
    runCommand(`${line} --shop ${getAddress()}`, commandEnvironment);

  test('codes created by the command are valid, and listed as CSV', async () => {
    const result = await runOnShop(`codes make --store ${store} --grants titles:film,book --count 2`);
    expect(result).toMatchObject({ code: 0, err: `Made 2 codes for titles:film,book in the store ${store}.\n` });
    const [header, firstCode = '', secondCode, ...remainingLines] = result.out.split('\n');
    expect([header, remainingLines]).toEqual(['code', ['']]);
    expect(secondCode).toMatch(/^\w{5}-\w{5}-\w{5}$/);
    expect((await lookUpCode(shop, { query: { shelfid: store } }, firstCode)).value).toMatchObject({ Kind: 'titles' });
    const listing = await runOnShop('codes list');
    expect(listing.out.split('\n')[0]).toBe('code,grants,uses,left,expires,withdrawn,made');
    expect(listing.out).toContain(`${firstCode},"titles:film,book",1,1,,,20`);
    const json = await runOnShop('codes list --json');
    expect(json.out.trim().split('\n')).toHaveLength(2);
    expect(JSON.parse(json.out.split('\n')[0] ?? '')).toMatchObject({ grants: 'titles:film,book', uses: 1 });
  });

  test('rows are written to a named new file, and nothing is created when that fails', async () => {
    const line = `codes make --store ${store} --grants credits:1 --count 3 --out made.csv`;
    expect(await runOnShop(line)).toMatchObject({ code: 0, out: '' });
    const lines = (await readFile(join(outFolder, 'made.csv'), 'utf8')).split('\n');
    expect([lines.length, lines[0]]).toEqual([5, 'code']);
    const count = (await runOnShop('codes list --json')).out.split('\n').length;
    expect((await runOnShop(line)).err).toMatch(/made\.csv already/);
    expect((await runOnShop(line.replace('made.csv', 'no/such/folder.csv'))).err).toMatch(/cannot be written/);
    expect((await runOnShop('codes list --json')).out.split('\n')).toHaveLength(count);
    await runOnShop(`codes make --store ${store} --grants credits:x --out empty.csv`);
    expect(await readdir(outFolder)).toEqual(['made.csv']);
  });

  test('credits are granted once by the command, and not at all by a dry run', async () => {
    const { email } = await createCustomer(shop, store);
    const line = `credits give --email ${email} --amount 5 --key june`;
    expect((await runOnShop(`${line} --dry-run`)).err).toBe(`${email} could get 5 credits.\n`);
    expect((await runOnShop(line)).out).toBe(`email,amount,balance\n${email},5,5\n`);
    expect((await runOnShop(line)).err).toBe(`${email} had got before, with the same key, 5 credits.\n`);
    expect((await runOnShop('purchases list')).out).toBe('');
  });

  test.each([
    ['codes list', {}, /set ADMIN_TOKEN/],
    ['codes list', { ADMIN_TOKEN: 'another token, long enough' }, /is not that of the shop/],
    ['codes make --grants title:none', { ADMIN_TOKEN }, /has no title none/],
  ])('the command %s fails with a readable message, with the environment %j', async (line, commandEnvironment, message) => {
    const { code, out, err } = await runOnShop(line, commandEnvironment);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(message);
  });

  test.each(commands.filter(({ name }) => name.includes(' ')))('$name is an operation of the shop', async ({ name }) => {
    const errorText = await runOperation(shop.services, name, { store, dryRun: true }).then(
      () => '',
      (error: unknown) => String(error),
    );
    expect(errorText).not.toContain('Unknown operation');
  });

  test('an unreachable shop and a shop without an admin token have different messages', async () => {
    expect(await runCommand('codes list --shop http://127.0.0.1:1', environment)).toMatchObject({
      code: 1,
      err: 'The shop at http://127.0.0.1:1 does not answer.\n',
    });
    const otherShop = await openShop();
    await otherShop.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = otherShop.app.server.address() as AddressInfo;
    const { err } = await runCommand(`codes list --shop http://127.0.0.1:${port}`, environment);
    await otherShop.close();
    expect(err).toMatch(/accepts no operations/);
  });
});

describe('on the shop’s own folder', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'colophon-store-'));
    const database = await openDatabase({ kind: 'folder', folder });
    await saveStore(database.db, makeStore('quay'));
    await database.close();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const runOnFolder = (line: string, environment: Record<string, string> = {}) =>
    runCommand(line, { DATA_DIR: folder, ...environment });

  test('a stopped shop is changed in its database', async () => {
    const { out } = await runOnFolder('codes make --grants credits:3 --code welcome-3');
    expect(out).toBe('code\nWELCOME3\n');
    expect((await runOnFolder('codes list')).out).toContain('WELCOME3,credits:3,1,1,,');
  });

  test('a command on a database in use runs on the shop with ADMIN_TOKEN, and names ADMIN_TOKEN without it', async () => {
    const otherProgram: OpenDatabase = await openDatabase({ kind: 'folder', folder });
    const shop = await openShop({ config: { adminToken: ADMIN_TOKEN } });
    await shop.store({ id: 'running' });
    await shop.app.listen({ port: 0, host: 'localhost' });
    const PORT = String((shop.app.server.address() as AddressInfo).port);
    const resultWithoutToken = await runOnFolder('codes list', { PORT });
    const resultWithToken = await runOnFolder('codes make --grants credits:1', { PORT, ADMIN_TOKEN });
    await shop.close();
    await otherProgram.close();
    expect(resultWithoutToken).toEqual({
      code: 1,
      out: '',
      err: `A shop is running on ${folder}. Set ADMIN_TOKEN to the one that it was started with, or stop it first.\n`,
    });
    expect(resultWithToken).toMatchObject({ code: 0, err: 'Made 1 code for credits:1 in the store running.\n' });
  });
});

test('a folder without a shop is reported', async () => {
  const { code, err } = await runCommand('codes list', { DATA_DIR: '/nowhere/at/all' });
  expect([code, err]).toEqual([1, 'There is no shop in /nowhere/at/all. Start it once, or set DATA_DIR to its folder.\n']);
});

test('an unreachable database is reported', async () => {
  expect(await runCommand('codes list', { DATABASE_URL: 'postgres://127.0.0.1:1/none' })).toMatchObject({
    code: 1,
    err: 'The database of DATABASE_URL cannot be reached.\n',
  });
});

test.runIf(inject('databaseServer') !== '')('a database on a server is changed while shops run on it', async () => {
  const url = inject('databaseServer');
  const database = await openDatabase({ kind: 'server', url });
  await saveStore(database.db, makeStore('shared'));
  const result = await runCommand('codes make --grants title:book --code beside-it', { DATABASE_URL: url });
  const row = await database.db.selectFrom('codes').select('title_id').where('code', '=', 'BESIDEIT').executeTakeFirst();
  await database.close();
  expect([result.out, row?.title_id]).toEqual(['code\nBESIDEIT\n', 'book']);
});

test.each([
  ['', 0, /^Usage: npm run store/, ''],
  ['--help', 0, /codes make /, ''],
  ['help', 0, /codes make /, ''],
  ['codes make --help', 0, /codes make --grants <GRANTS>[^]*credits:N/, ''],
  ['import --help', 0, /import FOLDER/, ''],
  ['codes', 2, '', /codes withdraw/],
  ['code make', 2, '', /unknown command 'code'\n\(Did you mean codes\?\)/],
  ['codes burn', 2, '', /unknown command 'burn'\nCommands: stores create, .*codes make/],
  ['codes make', 2, '', /'--grants <GRANTS>' not specified/],
  ['codes make --grants title:1 --count many', 2, '', /--count many: not a whole number/],
  ['codes make --grants --count 3', 2, '', /'--grants <GRANTS>' has no value/],
  ['codes make --grants title:1 --count', 2, '', /'--count <N>' argument missing/],
  ['codes list --grants title:1', 2, '', /unknown option '--grants'/],
  ['codes list all', 2, '', /too many arguments for 'list'. Expected 0 arguments but got 1: all/],
  ['codes list --jsno', 2, '', /codes list: unknown option '--jsno'\n\(Did you mean --json\?\)/],
  ['credits give --email a@b.example --amount 5', 2, '', /'--key <KEY>' not specified/],
  ['credits give --email a@b.example --amount=-5 --key k', 2, '', /--amount -5: not a whole number from 1/],
  ['stores set --currencies=', 2, '', /'--currencies <EUR,USD>' argument '' is invalid/],
  ['properties set', 2, '', /needs --set or --file/],
  ['properties set --set ShelfColor', 2, '', /--set ShelfColor: expected NAME=VALUE/],
  ['import', 2, '', /missing required argument 'FOLDER'/],
  ['codes list --shop books.example', 1, '', /must be an address/],
])('the command “%s” ends with the exit code %s', async (line, code, out, err) => {
  const result = await runCommand(line, { ADMIN_TOKEN });
  expect(result.code).toBe(code);
  expect(result.out).toMatch(out);
  expect(result.err).toMatch(err);
});
