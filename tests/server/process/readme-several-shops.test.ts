import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../tools/shop/free-ports.ts';
import { emptyDatabase } from '../support/test-database.ts';
import { customerAt } from '../support/visitor.ts';

const root = resolve(import.meta.dirname, '../../..');
const SECRET = 'what shops and gateway share';

let folder: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-readme-'));
});
afterAll(async () => {
  // Each leads a process group: npm starts the shop as a child.
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  await Promise.all(running.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'exit')));
  await rm(folder, { recursive: true, force: true });
});

/**
 * The commands of a README's section, with what a reader puts in: the database, a secret, a folder,
 * ports that are free.
 */
async function commandsOf(heading: string, databaseUrl: string): Promise<string[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  const section = readme.split(`### ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const ports = new Map(
    await Promise.all(['4401', '4410', '4420'].map(async (port) => [port, String(await freePort())] as const)),
  );
  return [...section.matchAll(/^ {4}(.+)$/gm)].map(([, line = '']) =>
    line
      .replaceAll(/postgres:\/\/\S+/g, `'${databaseUrl}'`)
      .replaceAll('…', `'${SECRET}'`)
      .replaceAll('/srv/colophon', folder)
      // Nothing answers there; customers come to the shops themselves.
      .replaceAll('https://books.example', 'http://localhost')
      .replaceAll(/\b44\d\d\b/g, (port) => ports.get(port) ?? port),
  );
}

/** Runs a line of a shell, up to the word that it is ready. @returns its address */
async function runLine(line: string): Promise<string> {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn('sh', ['-c', line], {
    cwd: root,
    detached: true,
    env: { ...inherited, PASSWORD_COST: '1024', DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let said = '';
  const ready = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      said += text.toString();
      const address = /PORT=(\d+)/.exec(line)?.[1];
      if (/ is ready: http/.test(said)) ready.resolve(`http://localhost:${address}`);
    });
  child.once('exit', (code) => ready.reject(new Error(`"${line}" ended with ${code}:\n${said}`)));
  return ready.promise;
}

test('the README’s commands start a gateway and two shops that are one shop', async () => {
  const database = await emptyDatabase();
  if (database.kind !== 'server') throw new Error('Several shops need a database server.');
  const lines = await commandsOf('Several shops on one database', database.url);
  const settings = lines.filter((line) => line.startsWith('export '));
  const programs = lines.filter((line) => !line.startsWith('export '));
  expect([settings.length, programs.length]).toEqual([2, 3]);
  const addresses: string[] = [];
  for (const program of programs) addresses.push(await runLine([...settings, program].join('\n')));
  const shops = addresses.slice(1);
  for (const shop of shops) await expect.poll(async () => (await fetch(`${shop}/readyz`)).status, { timeout: 30_000 }).toBe(200);
  const [one = '', other = ''] = shops;
  const customer = await customerAt(one);
  await customer.takeFree();
  expect(await (await customer.at(other)).library()).toHaveLength(1);
}, 300_000);
