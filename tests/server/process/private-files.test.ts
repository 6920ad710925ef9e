import { spawnSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makePrivate, markShopFolder } from '../../../server/settings/private-files.ts';
import { basicAuth, PASSWORD, signUpXml } from '../support/customers.ts';
import { createDelivery, createEpub, runStoreCommand, parseRows } from '../support/deliveries.ts';
import { CARD_NUMBERS, submitCardForm } from '../support/paying.ts';
import { startShop } from '../support/started-shop.ts';
import { newEmptyDatabase } from '../support/test-database.ts';

const ADMIN_TOKEN = 'a token of the tests, long enough';
const EMAIL = 'ann@example.org';
const STORE = 'harbour';
const isEmbedded = inject('databaseServer') === '';
const storeCommandFile = resolve(import.meta.dirname, '../../../tools/store/store.ts');

let parentFolder: string;
beforeAll(async () => {
  parentFolder = await mkdtemp(join(tmpdir(), 'colophon-private-'));
});
afterAll(() => rm(parentFolder, { recursive: true, force: true }));

/** @returns every path in a folder, including the folder, with its mode */
async function readModes(folder: string): Promise<{ mode: number; isFolder: boolean; path: string }[]> {
  const paths = await readdir(folder, { recursive: true }).catch(() => []);
  return Promise.all(
    ['', ...paths].map(async (path) => {
      const stats = await lstat(join(folder, path));
      return { path, isFolder: stats.isDirectory(), mode: stats.mode & 0o7777 };
    }),
  );
}

/** @returns the paths in a folder whose mode is not 0700 for a folder, or 0600 for a file */
const findExposedPaths = async (folder: string): Promise<string[]> =>
  (await readModes(folder))
    .filter(({ isFolder, mode }) => mode !== (isFolder ? 0o700 : 0o600))
    .map(({ mode, path }) => `${mode.toString(8)} ${path}`);

/** Runs `start` with this umask, for the process that it starts. */
function withUmask<Result>(umask: number, start: () => Result): Result {
  const previousUmask = process.umask(umask);
  try {
    return start();
  } finally {
    process.umask(previousUmask);
  }
}

/** Makes a folder and all its content accessible to every user, as older shops left it. */
async function exposeFolder(folder: string): Promise<void> {
  for (const { path, isFolder } of (await readModes(folder)).toReversed())
    await chmod(join(folder, path), isFolder ? 0o777 : 0o666);
}

/**
 * A customer signs up, pays for a title with a card that the gateway saves, and requests a reset
 * link by e-mail.
 */
async function useShop(address: string): Promise<void> {
  const makeQuery = (parameters: Record<string, string>) => new URLSearchParams({ shelfid: STORE, ...parameters }).toString();
  const callApi = async (path: string, parameters: Record<string, string>) =>
    (await fetch(`${address}/api${path}?${makeQuery(parameters)}`)).text();
  const signUpResponse = await fetch(`${address}/api/user/signup?${makeQuery({ appid: 'web' })}`, {
    method: 'POST',
    headers: { ...basicAuth(EMAIL, PASSWORD), 'content-type': 'text/xml' },
    body: signUpXml(EMAIL),
  });
  const accesstoken = /<IdToken>([^<]+)/.exec(await signUpResponse.text())?.[1] ?? '';
  const session = JSON.parse(await callApi('/payment/session', { accesstoken, titleId: '1001' })) as {
    transId: string;
    url: string;
  };
  await submitCardForm(session.url, CARD_NUMBERS.good, { keep: 'on' });
  await callApi('/purchase/title/confirm', { accesstoken, transactonId: session.transId });
  await callApi('/user/forgotpassword', { email: EMAIL });
  const cover = await fetch(`${address}/media/covers/${STORE}/1001/cover.jpg?width=240`, { headers: { accept: 'image/webp' } });
  expect([cover.status, cover.headers.get('content-type')]).toEqual([200, 'image/webp']);
}

const getUmaskFolder = (umask: string): string => join(parentFolder, `umask-${umask}`);
/** The database of each shop; the embedded one is in its folder. */
const databases = new Map<string, Record<string, string>>();

const startWithUmask = (umask: string) =>
  withUmask(Number.parseInt(umask, 8), () =>
    startShop({ DATA_DIR: getUmaskFolder(umask), PORT: '0', ADMIN_TOKEN, ...databases.get(umask) }),
  );

test.each(['000', '022'])(
  'every file that a shop writes into its data folder is accessible only to its user under the umask %s',
  async (umask) => {
    const database = isEmbedded ? undefined : await newEmptyDatabase();
    databases.set(umask, database?.kind === 'server' ? { DATABASE_URL: database.url } : {});
    const books = await createDelivery({ 'small.epub': createEpub() });
    const folder = getUmaskFolder(umask);
    const shop = await startWithUmask(umask);
    try {
      const importResult = await runStoreCommand(['import', books, '--store', STORE, '--shop', shop.address, '--json'], {
        ADMIN_TOKEN,
      });
      expect([importResult.code, parseRows(importResult).length], importResult.err).toEqual([0, 1]);
      await useShop(shop.address);
      await expect.poll(() => readdir(join(folder, 'outbox')).catch(() => []), { timeout: 60_000 }).not.toEqual([]);
      expect(await findExposedPaths(folder)).toEqual([]);
    } finally {
      await shop.end('SIGTERM');
    }
    const kinds = ['covers', 'gateway', 'media', 'outbox', ...(isEmbedded ? ['postgres'] : [])];
    expect([(await readdir(folder)).toSorted(), await findExposedPaths(folder)]).toEqual([kinds, []]);
  },
  240_000,
);

/** Reuses the previous test's folder, since creating a data folder is slow. */
test('files that an older shop left open to all users are made private at startup, and `npm run store` opens none', async () => {
  const folder = getUmaskFolder('000');
  await exposeFolder(folder);
  const shop = await startWithUmask('000');
  await shop.end('SIGTERM');
  expect([shop.stderr, await findExposedPaths(folder)]).toEqual(['', []]);

  const books = await createDelivery({ 'second.epub': createEpub({ title: 'Another book', identifier: 'urn:test:2' }) });
  const environment = { PATH: process.env['PATH'], DATA_DIR: folder, ...databases.get('000') };
  const result = withUmask(0, () =>
    spawnSync(process.execPath, [storeCommandFile, 'import', books, '--store', STORE], { env: environment, encoding: 'utf8' }),
  );
  expect(result.status, result.stderr).toBe(0);
  expect(await findExposedPaths(folder)).toEqual([]);
}, 240_000);

test('a link in the data folder is reported, and its target is not changed', async () => {
  const [folder, target] = [join(parentFolder, 'linked'), join(parentFolder, 'elsewhere')];
  await mkdir(join(folder, 'covers'), { recursive: true });
  await writeFile(target, 'of another program');
  await chmod(target, 0o644);
  await symlink(target, join(folder, 'covers', 'link'));
  expect(makePrivate(folder)).toEqual([
    `"${join(folder, 'covers', 'link')}" is a symbolic link, whose target is not changed. Make sure that only the shop’s user can read it.`,
  ]);
  expect([(await lstat(target)).mode & 0o777, (await lstat(folder)).mode & 0o777]).toEqual([0o644, 0o700]);
});

const testAsRoot = test.skipIf(process.getuid?.() !== 0);
if (process.getuid?.() !== 0) console.info('skipped: only root can give a file to another user');

testAsRoot('a file of another user is reported with its path, its owner and the remedy, and keeps its mode', async () => {
  const folder = join(parentFolder, 'foreign');
  await mkdir(join(folder, 'covers'), { recursive: true });
  // The name contains a shell command and terminal control characters.
  const path = join(folder, 'covers', 'x"; touch other; : "\u001B[2J');
  await writeFile(path, 'rows');
  await chmod(path, 0o644);
  await chown(path, 12345, 12345);
  expect(makePrivate(folder)).toEqual([
    `"${folder}/covers/x\\"; touch other; : \\"\\u001b[2J" has the mode 0644 and can be read by its owner. It belongs to the user 12345, not to the shop’s user 0, and is left as it is. Change its owner to 0 (chown).`,
  ]);
  expect((await lstat(path)).mode & 0o777).toBe(0o644);
});

testAsRoot('a process that cannot change a file’s mode reports the file, and does not fail', async () => {
  const folder = join(parentFolder, 'immutable');
  await mkdir(join(folder, 'covers'), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'covers', 'cover.avif'), 'rows');
  await chmod(join(folder, 'covers', 'cover.avif'), 0o644);
  await chown(join(folder, 'covers'), 12345, 12345);
  await chown(folder, 12345, 12345);
  const program = `process.setuid(12345); const { makePrivate } = await import('${resolve(import.meta.dirname, '../../../server/settings/private-files.ts')}');
    console.log(JSON.stringify(makePrivate(${JSON.stringify(folder)})));`;
  await chmod(parentFolder, 0o755);
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect([stdout.trim(), stderr]).toEqual([
    JSON.stringify([
      `"${join(folder, 'covers', 'cover.avif')}" has the mode 0644 and can be read by its owner. It belongs to the user 0, not to the shop’s user 12345, and is left as it is. Change its owner to 12345 (chown).`,
    ]),
    '',
  ]);
});

test.each([
  ['a file', async (path: string) => writeFile(path, 'of another program')],
  ['a folder with files', async (path: string) => mkdir(join(path, 'below'), { recursive: true, mode: 0o700 })],
  ['media of another program', async (path: string) => mkdir(join(path, '..', 'media')).then(() => writeFile(path, ''))],
])('a folder that contains %s and no shop data is refused as a data folder, and not changed', async (_, addContent) => {
  const folder = await mkdtemp(join(parentFolder, 'home-'));
  await addContent(join(folder, 'own'));
  await chmod(folder, 0o755);
  const modesBefore = await readModes(folder);
  expect(() => makePrivate(folder)).toThrow(
    `The folder ${folder} has "${(await readdir(folder)).toSorted()[0]}" and no shop data, but a data folder is private to the shop’s user: ` +
      `expected an empty folder, or one with a shop’s data. Name one for the shop alone, such as ${join(folder, 'shop')}.`,
  );
  expect(await readModes(folder)).toEqual(modesBefore);
});

test('a new disk and a folder with a shop’s data among other files become data folders', async () => {
  const [diskFolder, usedFolder] = [await mkdtemp(join(parentFolder, 'disk-')), await mkdtemp(join(parentFolder, 'used-'))];
  await mkdir(join(diskFolder, 'lost+found'), { mode: 0o700 });
  await mkdir(join(usedFolder, 'outbox'), { mode: 0o755 });
  await writeFile(join(usedFolder, 'notes.txt'), 'notes', { mode: 0o644 });
  expect([makePrivate(diskFolder), makePrivate(usedFolder)]).toEqual([[], []]);
  // The folder's own mode keeps other users out of files that are not the shop's.
  expect([await findExposedPaths(diskFolder), await findExposedPaths(usedFolder)]).toEqual([[], ['644 notes.txt']]);
});

test('a data folder with nothing but media is recognised by the marker of its first start', async () => {
  const folder = await mkdtemp(join(parentFolder, 'media-'));
  expect(makePrivate(folder)).toEqual([]);
  markShopFolder(folder);
  await mkdir(join(folder, 'media'), { mode: 0o755 });
  await writeFile(join(folder, 'media', 'a.pdf'), '', { mode: 0o644 });
  expect(makePrivate(folder)).toEqual([]);
  expect(await findExposedPaths(folder)).toEqual([]);
});

test('a file that its own user cannot read is made private as well', async () => {
  const folder = await mkdtemp(join(parentFolder, 'unreadable-'));
  await mkdir(join(folder, 'media'), { mode: 0o700 });
  await mkdir(join(folder, 'outbox'), { mode: 0o700 });
  await writeFile(join(folder, 'media', 'film.mp4'), '');
  await chmod(join(folder, 'media', 'film.mp4'), 0o044);
  expect([makePrivate(folder), await findExposedPaths(folder)]).toEqual([[], []]);
});

testAsRoot('a link in a folder of another user is reported, and its target is not changed', async () => {
  const [folder, target] = [await mkdtemp(join(parentFolder, 'swapped-')), join(parentFolder, 'of-root')];
  await writeFile(target, 'of root');
  await chmod(target, 0o644);
  const foreignFolder = join(folder, 'media');
  await mkdir(join(folder, 'outbox'), { mode: 0o700 });
  await mkdir(foreignFolder, { mode: 0o700 });
  await symlink(parentFolder, join(foreignFolder, 'link'));
  await chown(foreignFolder, 12345, 12345);
  expect(makePrivate(folder).map((problem) => problem.split(' ', 2).join(' '))).toEqual([
    `"${foreignFolder}" has`,
    `"${join(foreignFolder, 'link')}" is`,
  ]);
  expect((await lstat(target)).mode & 0o777).toBe(0o644);
});

test('a folder shared by users is refused as a data folder', async () => {
  const folder = join(parentFolder, 'shared');
  await mkdir(folder);
  await chmod(folder, 0o1777);
  expect(() => makePrivate(folder)).toThrow(
    `The folder ${folder} is shared by users (it has the sticky bit). Name one for the shop alone, such as ${join(folder, 'shop')}.`,
  );
  expect((await lstat(folder)).mode & 0o7777).toBe(0o1777);
});
