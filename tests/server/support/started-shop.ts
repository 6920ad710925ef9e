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
  const { DATABASE_URL: _url, ...inheritedEnvironment } = process.env;
  const child = spawn(process.execPath, ['--liftoff-only', serverProgram], {
    env: { ...inheritedEnvironment, HOST: '127.0.0.1', PASSWORD_COST: '1024', DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  const exitCode = once(child, 'close').then(([code]) => code as number | null);
  const readyPromise = new Promise<void>((resolve) => {
    child.stdout.on('data', (text: Buffer) => {
      output.stdout += text.toString();
      if (output.stdout.includes('Colophon is ready')) resolve();
    });
  });
  child.stderr.on('data', (text: Buffer) => (output.stderr += text.toString()));
  await Promise.race([readyPromise, exitCode]);
  return {
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
    exitCode,
    address: /ready: (\S+)/.exec(output.stdout)?.[1] ?? '',
    /** Stops the shop and waits for its exit. @returns its exit code; null where it was killed */
    end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
      child.kill(signal);
      return exitCode;
    },
    async gatewayPid(): Promise<number> {
      const lock = await readFile(`${environment['DATA_DIR']}/gateway/colophon.lock`, 'utf8');
      return Number(lock.split(' ')[0]);
    },
  };
}

export type StartedShop = Awaited<ReturnType<typeof startShop>>;
