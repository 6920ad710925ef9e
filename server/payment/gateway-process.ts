import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { realNow } from '../base/clock/time.ts';

export type GatewayProcess = { origin: string; secret: string; pid(): number | undefined; stop(): Promise<void> };

type FirstWord = { port?: number; error?: string };

async function hear(child: ChildProcess): Promise<FirstWord> {
  const ended = once(child, 'exit').then(([code]): FirstWord => ({ error: `it ended with code ${String(code)}` }));
  const said = once(child, 'message').then(([message]) => message as FirstWord);
  return Promise.race([said, ended]);
}

/** What a process needs to run, and where to listen; the rest of the shop's environment is no business of the gateway's. */
const HANDED_ON = ['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS', 'HOST'];
const handedOn = () => Object.fromEntries(HANDED_ON.map((name) => [name, process.env[name]]));

/** Milliseconds before the gateway starts again: at first, at most, and how long it must have run for the first to hold. */
const WAIT = { first: 500, longest: 30_000, steady: 60_000 };

/**
 * Starts the test gateway as a process of its own, on the wanted port or, if that is taken, on a free one. One that ends
 * by itself is started again on its port, later each time; what it had written down it still knows. It ends when this
 * process does.
 * @param where the folder of its journal, and the host name under which browsers reach it
 */
export async function startGateway(where: { folder: string; port: number; hostname: string }): Promise<GatewayProcess> {
  const secret = randomBytes(32).toString('base64url');
  const launch = async (wanted: number): Promise<{ child: ChildProcess; port: number }> => {
    const child = fork(fileURLToPath(new URL('../gateway/main.ts', import.meta.url)), [], {
      env: { ...handedOn(), PORT: String(wanted), GATEWAY_FOLDER: where.folder, GATEWAY_SECRET: secret },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const { port, error = 'it said nothing' } = await hear(child);
    if (port === undefined) throw new Error(`The payment gateway did not start: ${error}.`);
    return { child, port };
  };
  const first = await launch(where.port);
  const { port } = first;
  let { child } = first;
  let stopping = false;
  let wait = WAIT.first;
  let timer: NodeJS.Timeout | undefined;
  let starting: Promise<void> = Promise.resolve();

  const startLater = (reason: string): void => {
    console.error(`${reason} It starts again in ${wait / 1000} s.`);
    timer = setTimeout(() => {
      starting = startAgain();
    }, wait);
    wait = Math.min(wait * 2, WAIT.longest);
  };
  const watch = (): void => {
    const since = realNow();
    child.once('exit', (code, signal) => {
      if (stopping) return;
      if (realNow() - since > WAIT.steady) wait = WAIT.first;
      startLater(`The payment gateway ended (${signal ?? code}).`);
    });
  };
  const startAgain = async (): Promise<void> => {
    try {
      const next = await launch(port);
      child = next.child;
      if (next.port === port) watch();
      if (next.port === port || stopping) return;
      // Browsers and the shop look for it where it was.
      await end(child);
      startLater(`The port ${port} of the payment gateway is taken.`);
    } catch (error) {
      if (!stopping) startLater(error instanceof Error ? error.message : String(error));
    }
  };
  watch();
  return {
    origin: `http://${where.hostname}:${port}`,
    secret,
    pid: () => child.pid,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await starting;
      await end(child);
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
