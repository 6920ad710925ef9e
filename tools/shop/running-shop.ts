import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findFreePortPair } from './free-ports.ts';

const root = resolve(import.meta.dirname, '../..');
const readyPattern = /Colophon is ready: (https?:\/\/\S+)/;

/** The real server, with built pages and gateway, on its own port and data folder. */
export type RunningShop = {
  url: string;
  /** The port of its process; `url` may be that of a proxy in front of it. */
  port: number;
  /** Its data folder. */
  data: string;
  /**
   * The address of its PostgreSQL database; empty if it uses the embedded one in the data folder.
   */
  databaseUrl: string;
  /** Milliseconds from the start of the process to its ready line. */
  startedIn: number;
  /** Stops the server gracefully. The data stays, for `start`. */
  stop(): Promise<void>;
  /** Kills the server, as a power cut would. */
  kill(): Promise<void>;
  /** Restarts it on the same port and data. */
  start(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
  /** The output of the server so far. */
  getOutput(): string;
  /** The memory of its process in MB. */
  memory(): number;
};

/**
 * The address of a shop, or of several behind one proxy, and the folder with its gateway's journal.
 */
export type ShopPlace = Pick<RunningShop, 'url' | 'data'>;

function waitForReady(child: ChildProcess, said: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let before = '';
    const listen = (part: Buffer): void => {
      said.push(part.toString());
      before += part.toString();
      const url = readyPattern.exec(before)?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the server exited with ${String(code)} before it was ready:\n${before}`)));
  });
}

/** The server leads a process group, so that its gateway is killed too. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has already ended.
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  killGroup(child);
}

export type ShopOptions = {
  /** A data folder to copy, which is faster than creating one. */
  from?: string;
  /** Added to the server's environment. */
  env?: Record<string, string>;
};

/** Starts a shop with fresh data. */
export async function startShop(options: ShopOptions = {}): Promise<RunningShop> {
  const data = await mkdtemp(join(tmpdir(), 'colophon-shop-'));
  if (options.from !== undefined) await cp(options.from, data, { recursive: true });
  const databaseUrl = options.env?.['DATABASE_URL'] ?? '';
  const port = await findFreePortPair();
  const said: string[] = [];
  const launch = (): ChildProcess =>
    spawn(process.execPath, [join(root, 'server/main.ts')], {
      cwd: root,
      detached: true,
      env: {
        ...process.env,
        // The recorded visits and generated walks sign in by forms only.
        TEST_PROVIDERS: 'off',
        DATABASE_URL: databaseUrl,
        SIGN_UPS_PER_HOUR: '100000',
        HOST: '127.0.0.1',
        DRAIN_SECONDS: '0',
        PORT: String(port),
        DATA_DIR: data,
        ...options.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  let child = launch();
  process.once('exit', () => killGroup(child));
  const begun = performance.now();
  const url = await waitForReady(child, said);
  const shop: RunningShop = {
    url,
    port,
    data,
    databaseUrl,
    startedIn: performance.now() - begun,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
    async start() {
      const from = performance.now();
      child = launch();
      await waitForReady(child, said);
      shop.startedIn = performance.now() - from;
    },
    async remove() {
      await end(child, 'SIGTERM');
      await rm(data, { recursive: true, force: true });
    },
    getOutput: () => said.join(''),
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1000,
  };
  return shop;
}
