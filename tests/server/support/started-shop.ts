import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const serverProgram = fileURLToPath(new URL('../../../server/main.ts', import.meta.url));

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts the shop as its own process, and waits until it is ready or has exited. */
export async function startShop(environment: Record<string, string>) {
  const { DATABASE_URL: _url, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--liftoff-only', serverProgram], {
    env: { ...inherited, HOST: '127.0.0.1', PASSWORD_COST: '1024', DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const shop = { said: '', complained: '' };
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (text: Buffer) => {
      shop.said += text.toString();
      if (shop.said.includes('Colophon is ready')) resolve();
    });
  });
  child.stderr.on('data', (text: Buffer) => (shop.complained += text.toString()));
  await Promise.race([ready, ended]);
  return {
    get said() {
      return shop.said;
    },
    get complained() {
      return shop.complained;
    },
    ended,
    address: /ready: (\S+)/.exec(shop.said)?.[1] ?? '',
    /** Stops the shop and waits for it. @returns its exit code; null when it was killed */
    end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
      child.kill(signal);
      return ended;
    },
    async gatewayPid(): Promise<number> {
      const lock = await readFile(`${environment['DATA_DIR']}/gateway/colophon.lock`, 'utf8');
      return Number(lock.split(' ')[0]);
    },
  };
}

export type StartedShop = Awaited<ReturnType<typeof startShop>>;
