import { spawnSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makePrivate, markShopFolder } from '../../../server/settings/private-files.ts';
import { basic, PASSWORD, signUpDocument } from '../support/customers.ts';
import { delivery, epub, operatorRuns, rowsIn } from '../support/deliveries.ts';
import { CARDS, pay } from '../support/paying.ts';
import { startShop } from '../support/started-shop.ts';
import { emptyDatabase } from '../support/test-database.ts';

const ADMIN_TOKEN = 'a token of the tests, long enough';
const EMAIL = 'ann@example.org';
const STORE = 'harbour';
const isEmbedded = inject('databaseServer') === '';
const storeProgram = resolve(import.meta.dirname, '../../../tools/store/store.ts');

let folders: string;
beforeAll(async () => {
  folders = await mkdtemp(join(tmpdir(), 'colophon-private-'));
});
afterAll(() => rm(folders, { recursive: true, force: true }));

/** Every path in a folder, itself included, with its mode. */
async function modesIn(folder: string): Promise<{ mode: number; isFolder: boolean; path: string }[]> {
  const below = await readdir(folder, { recursive: true }).catch(() => []);
  return Promise.all(
    ['', ...below].map(async (path) => {
      const stats = await lstat(join(folder, path));
      return { path, isFolder: stats.isDirectory(), mode: stats.mode & 0o7777 };
    }),
  );
}

/** The paths in a folder that other users have rights to, or that have not the shop's mode. */
const exposedIn = async (folder: string): Promise<string[]> =>
  (await modesIn(folder))
    .filter(({ isFolder, mode }) => mode !== (isFolder ? 0o700 : 0o600))
    .map(({ mode, path }) => `${mode.toString(8)} ${path}`);

/** Runs something that starts a process by the umask that the process is to inherit. */
function withUmask<Started>(umask: number, start: () => Started): Started {
  const before = process.umask(umask);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}

/** Opens a folder and all in it to every user, as shops before this one left it. */
async function expose(folder: string): Promise<void> {
  for (const { path, isFolder } of (await modesIn(folder)).toReversed())
    await chmod(join(folder, path), isFolder ? 0o777 : 0o666);
}

/**
 * A customer signs up, pays for a title by a card that the gateway keeps, and asks for a link by
 * e-mail.
 */
async function useShop(address: string): Promise<void> {
  const query = (more: Record<string, string>) => new URLSearchParams({ shelfid: STORE, ...more }).toString();
  const get = async (path: string, more: Record<string, string>) => (await fetch(`${address}/api${path}?${query(more)}`)).text();
  const signedUp = await fetch(`${address}/api/user/signup?${query({ appid: 'web' })}`, {
    method: 'POST',
    headers: { ...basic(EMAIL, PASSWORD), 'content-type': 'text/xml' },
    body: signUpDocument(EMAIL),
  });
  const accesstoken = /<IdToken>([^<]+)/.exec(await signedUp.text())?.[1] ?? '';
  const session = JSON.parse(await get('/payment/session', { accesstoken, titleId: '1001' })) as { transId: string; url: string };
  await pay(session.url, CARDS.good, { keep: 'on' });
  await get('/purchase/title/confirm', { accesstoken, transactonId: session.transId });
  await get('/user/forgotpassword', { email: EMAIL });
  const cover = await fetch(`${address}/media/covers/${STORE}/1001/cover.jpg?width=240`, { headers: { accept: 'image/webp' } });
  expect([cover.status, cover.headers.get('content-type')]).toEqual([200, 'image/webp']);
}

const folderOf = (umask: string): string => join(folders, `umask-${umask}`);
/** The database of each shop, which the embedded one has in its folder. */
const databases = new Map<string, Record<string, string>>();

const start = (umask: string) =>
  withUmask(Number.parseInt(umask, 8), () =>
    startShop({ DATA_DIR: folderOf(umask), PORT: '0', ADMIN_TOKEN, ...databases.get(umask) }),
  );

test.each(['000', '022'])(
  'every file that a shop writes into its data folder is its user’s alone under the umask %s',
  async (umask) => {
    const database = isEmbedded ? undefined : await emptyDatabase();
    databases.set(umask, database?.kind === 'server' ? { DATABASE_URL: database.url } : {});
    const books = await delivery({ 'small.epub': epub() });
    const folder = folderOf(umask);
    const shop = await start(umask);
    try {
      const imported = await operatorRuns(['import', books, '--store', STORE, '--shop', shop.address, '--json'], { ADMIN_TOKEN });
      expect([imported.code, rowsIn(imported).length], imported.err).toEqual([0, 1]);
      await useShop(shop.address);
      await expect.poll(() => readdir(join(folder, 'outbox')).catch(() => []), { timeout: 60_000 }).not.toEqual([]);
      expect(await exposedIn(folder)).toEqual([]);
    } finally {
      await shop.end('SIGTERM');
    }
    const kinds = ['covers', 'gateway', 'media', 'outbox', ...(isEmbedded ? ['postgres'] : [])];
    expect([(await readdir(folder)).toSorted(), await exposedIn(folder)]).toEqual([kinds, []]);
  },
  240_000,
);

/** Reuses the folder of the test before, since creating one is slow. */
test('files that an older shop left open to all users are closed at the start, and `npm run store` opens none', async () => {
  const folder = folderOf('000');
  await expose(folder);
  const shop = await start('000');
  await shop.end('SIGTERM');
  expect([shop.complained, await exposedIn(folder)]).toEqual(['', []]);

  const books = await delivery({ 'second.epub': epub({ title: 'Another book', identifier: 'urn:test:2' }) });
  const environment = { PATH: process.env['PATH'], DATA_DIR: folder, ...databases.get('000') };
  const ending = withUmask(0, () =>
    spawnSync(process.execPath, [storeProgram, 'import', books, '--store', STORE], { env: environment, encoding: 'utf8' }),
  );
  expect(ending.status, ending.stderr).toBe(0);
  expect(await exposedIn(folder)).toEqual([]);
}, 240_000);

test('a link in the data folder is reported and its target stays as it is', async () => {
  const [folder, target] = [join(folders, 'linked'), join(folders, 'elsewhere')];
  await mkdir(join(folder, 'covers'), { recursive: true });
  await writeFile(target, 'of another program');
  await chmod(target, 0o644);
  await symlink(target, join(folder, 'covers', 'link'));
  expect(makePrivate(folder)).toEqual([
    `"${join(folder, 'covers', 'link')}" is a symbolic link, whose target is not changed. Make sure that only the shop’s user can read it.`,
  ]);
  expect([(await lstat(target)).mode & 0o777, (await lstat(folder)).mode & 0o777]).toEqual([0o644, 0o700]);
});

const asRoot = test.skipIf(process.getuid?.() !== 0);
if (process.getuid?.() !== 0) console.info('skipped: only root can give a file to another user');

asRoot('a file of another user is reported with its path, its owner and the remedy, and keeps its mode', async () => {
  const folder = join(folders, 'foreign');
  await mkdir(join(folder, 'covers'), { recursive: true });
  // The name would be a command in a shell, and move the cursor of a terminal.
  const path = join(folder, 'covers', 'x"; touch other; : "\u001B[2J');
  await writeFile(path, 'rows');
  await chmod(path, 0o644);
  await chown(path, 12345, 12345);
  expect(makePrivate(folder)).toEqual([
    `"${folder}/covers/x\\"; touch other; : \\"\\u001b[2J" has the mode 0644 and can be read by its owner. It belongs to the user 12345, not to the shop’s user 0, and is left as it is. Change its owner to 0 (chown).`,
  ]);
  expect((await lstat(path)).mode & 0o777).toBe(0o644);
});

asRoot('a shop that may not change a file says so at its start, and starts', async () => {
  const folder = join(folders, 'immutable');
  await mkdir(join(folder, 'covers'), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'covers', 'cover.avif'), 'rows');
  await chmod(join(folder, 'covers', 'cover.avif'), 0o644);
  await chown(join(folder, 'covers'), 12345, 12345);
  await chown(folder, 12345, 12345);
  const program = `process.setuid(12345); const { makePrivate } = await import('${resolve(import.meta.dirname, '../../../server/settings/private-files.ts')}');
    console.log(JSON.stringify(makePrivate(${JSON.stringify(folder)})));`;
  await chmod(folders, 0o755);
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
])('a folder that holds %s and nothing of a shop is refused as a data folder, and stays as it is', async (_, put) => {
  const folder = await mkdtemp(join(folders, 'home-'));
  await put(join(folder, 'own'));
  await chmod(folder, 0o755);
  const before = await modesIn(folder);
  expect(() => makePrivate(folder)).toThrow(
    `The folder ${folder} holds "${(await readdir(folder)).toSorted()[0]}" and nothing of a shop, whose data folder is for its user alone: ` +
      `expected an empty folder, or one with a shop’s data. Name one for the shop alone, such as ${join(folder, 'shop')}.`,
  );
  expect(await modesIn(folder)).toEqual(before);
});

test('a new disk, an empty folder, and one with a shop’s data among other files become data folders', async () => {
  const [disk, used] = [await mkdtemp(join(folders, 'disk-')), await mkdtemp(join(folders, 'used-'))];
  await mkdir(join(disk, 'lost+found'), { mode: 0o700 });
  await mkdir(join(used, 'outbox'), { mode: 0o755 });
  await writeFile(join(used, 'notes.txt'), 'notes', { mode: 0o644 });
  expect([makePrivate(disk), makePrivate(used)]).toEqual([[], []]);
  // The folder's own mode shuts others out of what is not the shop's.
  expect([await exposedIn(disk), await exposedIn(used)]).toEqual([[], ['644 notes.txt']]);
});

test('a data folder with media and nothing else of a shop is known by what its first start has left', async () => {
  const folder = await mkdtemp(join(folders, 'media-'));
  expect(makePrivate(folder)).toEqual([]);
  markShopFolder(folder);
  await mkdir(join(folder, 'media'), { mode: 0o755 });
  await writeFile(join(folder, 'media', 'a.pdf'), '', { mode: 0o644 });
  expect(makePrivate(folder)).toEqual([]);
  expect(await exposedIn(folder)).toEqual([]);
});

test('a file that its own user may not read is closed all the same', async () => {
  const folder = await mkdtemp(join(folders, 'unreadable-'));
  await mkdir(join(folder, 'media'), { mode: 0o700 });
  await mkdir(join(folder, 'outbox'), { mode: 0o700 });
  await writeFile(join(folder, 'media', 'film.mp4'), '');
  await chmod(join(folder, 'media', 'film.mp4'), 0o044);
  expect([makePrivate(folder), await exposedIn(folder)]).toEqual([[], []]);
});

asRoot('a link in a folder of another user is reported, and nothing behind it is changed', async () => {
  const [folder, target] = [await mkdtemp(join(folders, 'swapped-')), join(folders, 'of-root')];
  await writeFile(target, 'of root');
  await chmod(target, 0o644);
  const foreign = join(folder, 'media');
  await mkdir(join(folder, 'outbox'), { mode: 0o700 });
  await mkdir(foreign, { mode: 0o700 });
  await symlink(folders, join(foreign, 'link'));
  await chown(foreign, 12345, 12345);
  expect(makePrivate(folder).map((problem) => problem.split(' ', 2).join(' '))).toEqual([
    `"${foreign}" has`,
    `"${join(foreign, 'link')}" is`,
  ]);
  expect((await lstat(target)).mode & 0o777).toBe(0o644);
});

test('a folder that users share is refused as a data folder', async () => {
  const folder = join(folders, 'shared');
  await mkdir(folder);
  await chmod(folder, 0o1777);
  expect(() => makePrivate(folder)).toThrow(
    `The folder ${folder} is shared by users (it has the sticky bit). Name one for the shop alone, such as ${join(folder, 'shop')}.`,
  );
  expect((await lstat(folder)).mode & 0o7777).toBe(0o1777);
});
