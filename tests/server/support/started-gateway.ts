import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const gatewayProgram = fileURLToPath(new URL('../../../server/gateway/main.ts', import.meta.url));

/** Starts the gateway as its own process, and waits for its first output. */
export async function startGatewayProcess(environment: Record<string, string>) {
  const child = spawn(process.execPath, ['--liftoff-only', gatewayProgram], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        said += text.toString();
        if (said.includes('\n')) resolve();
      });
  });
  await Promise.race([ready, ended]);
  return {
    said,
    ended,
    origin: /ready: (\S+)/.exec(said)?.[1] ?? '',
    end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
      child.kill(signal);
      return ended;
    },
  };
}

export type StartedGateway = Awaited<ReturnType<typeof startGatewayProcess>>;
