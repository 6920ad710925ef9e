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
  /** The port of the server's process; `url` may be that of a proxy in front of it. */
  port: number;
  /** The server's data folder. */
  data: string;
  /**
   * The connection URL of its PostgreSQL database; empty if it uses the embedded one in the data
   * folder.
   */
  databaseUrl: string;
  /** Milliseconds from the start of the process to its ready line. */
  startupMs: number;
  /** Stops the server gracefully. The data stays, for `start`. */
  stop(): Promise<void>;
  /** Kills the server, as a power cut would. */
  kill(): Promise<void>;
  /** Starts the stopped server again, on the same port and data. */
  start(): Promise<void>;
  /** Stops the server and deletes its data. */
  remove(): Promise<void>;
  /** The output of the server so far. */
  getOutput(): string;
  /** The resident memory of the server's process in MB. */
  readMemory(): number;
};

/**
 * The URL of a shop, or of several behind one proxy, and the data folder with its gateway's
 * journal.
 */
export type ShopLocation = Pick<RunningShop, 'url' | 'data'>;

function waitForReady(child: ChildProcess, output: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let startOutput = '';
    // Later output is not searched: the access log of a busy shop is long.
    let isReady = false;
    const addOutput = (chunk: Buffer): void => {
      output.push(chunk.toString());
      if (isReady) return;
      startOutput += chunk.toString();
      const url = readyPattern.exec(startOutput)?.[1];
      isReady = url !== undefined;
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', addOutput);
    child.stderr?.on('data', addOutput);
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the server exited with ${String(code)} before it was ready:\n${startOutput}`)));
  });
}

/** Kills the server and its gateway: the server leads a process group. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole group has already ended.
  }
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  killGroup(child);
}

export type ShopOptions = {
  /** A data folder to copy, which is faster than creating one. */
  dataTemplate?: string;
  /** Added to the server's environment. */
  env?: Record<string, string>;
};

/** Starts a shop with fresh data. */
export async function startShop(options: ShopOptions = {}): Promise<RunningShop> {
  const data = await mkdtemp(join(tmpdir(), 'colophon-shop-'));
  if (options.dataTemplate !== undefined) await cp(options.dataTemplate, data, { recursive: true });
  const databaseUrl = options.env?.['DATABASE_URL'] ?? '';
  const port = await findFreePortPair();
  const output: string[] = [];
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
  const launchedAt = performance.now();
  const url = await waitForReady(child, output);
  const shop: RunningShop = {
    url,
    port,
    data,
    databaseUrl,
    startupMs: performance.now() - launchedAt,
    stop: () => endProcess(child, 'SIGTERM'),
    kill: () => endProcess(child, 'SIGKILL'),
    async start() {
      const relaunchedAt = performance.now();
      child = launch();
      await waitForReady(child, output);
      shop.startupMs = performance.now() - relaunchedAt;
    },
    async remove() {
      await endProcess(child, 'SIGTERM');
      await rm(data, { recursive: true, force: true });
    },
    getOutput: () => output.join(''),
    readMemory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1000,
  };
  return shop;
}
