import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFreePort } from '../../../tools/shop/free-ports.ts';
import { newEmptyDatabase } from '../support/test-database.ts';
import { signUpCustomer } from '../support/visitor.ts';

const root = resolve(import.meta.dirname, '../../..');
const SECRET = 'what shops and gateway share';

let folder: string;
const runningProcesses: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colophon-docs-'));
});
afterAll(async () => {
  // Each process leads a process group, since npm starts the shop as a child.
  for (const { pid } of runningProcesses) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  await Promise.all(runningProcesses.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'exit')));
  await rm(folder, { recursive: true, force: true });
});

/**
 * @returns the commands in a section of docs/operating.md, with the reader's values filled in: the
 * database, a secret, a folder, and free ports
 */
async function readCommands(heading: string, databaseUrl: string): Promise<string[]> {
  const page = await readFile(join(root, 'docs/operating.md'), 'utf8');
  const section = page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const ports = new Map(
    await Promise.all(['4401', '4410', '4420'].map(async (port) => [port, String(await findFreePort())] as const)),
  );
  return [...section.matchAll(/^ {4}(.+)$/gm)].map(([, line = '']) =>
    line
      .replaceAll(/postgres:\/\/\S+/g, `'${databaseUrl}'`)
      .replaceAll('…', `'${SECRET}'`)
      .replaceAll('/srv/colophon', folder)
      // No proxy runs at that URL: customers connect to the shops directly.
      .replaceAll('https://books.example', 'http://localhost')
      .replaceAll(/\b44\d\d\b/g, (port) => ports.get(port) ?? port),
  );
}

/** Starts a shell command and waits until it reports ready. @returns its URL */
async function startCommand(line: string): Promise<string> {
  const { DATABASE_URL: _, ...environment } = process.env;
  const child = spawn('sh', ['-c', line], {
    cwd: root,
    detached: true,
    env: { ...environment, PASSWORD_COST: '1024', DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  runningProcesses.push(child);
  let output = '';
  const ready = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString();
      const port = /PORT=(\d+)/.exec(line)?.[1];
      if (/ is ready: http/.test(output)) ready.resolve(`http://localhost:${port}`);
    });
  child.once('exit', (code) => ready.reject(new Error(`"${line}" ended with ${code}:\n${output}`)));
  return ready.promise;
}

test('the commands in the docs start a gateway and two shops on one database', async () => {
  const database = await newEmptyDatabase();
  if (database.kind !== 'server') throw new Error('Several shops need a database server.');
  const lines = await readCommands('Several shops on one database', database.url);
  const exportLines = lines.filter((line) => line.startsWith('export '));
  const programLines = lines.filter((line) => !line.startsWith('export '));
  expect([exportLines.length, programLines.length]).toEqual([2, 3]);
  const addresses: string[] = [];
  for (const programLine of programLines) addresses.push(await startCommand([...exportLines, programLine].join('\n')));
  const shops = addresses.slice(1);
  for (const shop of shops) await expect.poll(async () => (await fetch(`${shop}/readyz`)).status, { timeout: 30_000 }).toBe(200);
  const [firstShop = '', secondShop = ''] = shops;
  const customer = await signUpCustomer(firstShop);
  await customer.takeFreeTitle();
  expect(await (await customer.signInAt(secondShop)).fetchLibrary()).toHaveLength(1);
}, 300_000);
