import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const gatewayProgram = fileURLToPath(new URL('../../../server/gateway/main.ts', import.meta.url));

/** Starts the gateway as its own process, and waits for its first line of output or its exit. */
export async function startGatewayProcess(environment: Record<string, string>) {
  const child = spawn(process.execPath, ['--liftoff-only', gatewayProgram], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exitCode = once(child, 'close').then(([code]) => code as number | null);
  const outputPromise = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        output += text.toString();
        if (output.includes('\n')) resolve();
      });
  });
  await Promise.race([outputPromise, exitCode]);
  return {
    output,
    exitCode,
    origin: /ready: (\S+)/.exec(output)?.[1] ?? '',
    end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null> {
      child.kill(signal);
      return exitCode;
    },
  };
}

export type StartedGateway = Awaited<ReturnType<typeof startGatewayProcess>>;
