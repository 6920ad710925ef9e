import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type GatewayProcess = { origin: string; secret: string; pid: number | undefined; stop(): Promise<void> };

type FirstWord = { port?: number; error?: string };

async function hear(child: ChildProcess): Promise<FirstWord> {
  const ended = once(child, 'exit').then(([code]): FirstWord => ({ error: `it ended with code ${String(code)}` }));
  const said = once(child, 'message').then(([message]) => message as FirstWord);
  return Promise.race([said, ended]);
}

/** What a process needs to run, and where to listen; the rest of the shop's environment is no business of the gateway's. */
const HANDED_ON = ['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS', 'HOST'];
const handedOn = () => Object.fromEntries(HANDED_ON.map((name) => [name, process.env[name]]));

/**
 * Starts the test gateway as a process of its own, on the wanted port or, if that is taken, on a free one. It ends when
 * this process does.
 * @param where the folder of its journal, and the host name under which browsers reach it
 */
export async function startGateway(where: { folder: string; port: number; hostname: string }): Promise<GatewayProcess> {
  const secret = randomBytes(32).toString('base64url');
  const child = fork(fileURLToPath(new URL('../gateway/main.ts', import.meta.url)), [], {
    env: { ...handedOn(), PORT: String(where.port), GATEWAY_FOLDER: where.folder, GATEWAY_SECRET: secret },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const word = await hear(child);
  if (word.port === undefined) throw new Error(`The payment gateway did not start: ${word.error ?? 'it said nothing'}.`);
  return {
    origin: `http://${where.hostname}:${word.port}`,
    secret,
    pid: child.pid,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
