import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { realNow } from '../base/clock/time.ts';

export type GatewayProcess = { origin: string; secret: string; pid(): number | undefined; stop(): Promise<void> };

type StartMessage = { port?: number; error?: string };

async function waitForStart(child: ChildProcess): Promise<StartMessage> {
  const ended = once(child, 'exit').then(([code]): StartMessage => ({ error: `it exited with code ${String(code)}` }));
  const said = once(child, 'message').then(([message]) => message as StartMessage);
  return Promise.race([said, ended]);
}

/**
 * Variables that the gateway's process inherits; it gets no other settings or secrets of the shop.
 */
const INHERITED_VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS', 'HOST'];
const readInheritedVariables = () => Object.fromEntries(INHERITED_VARIABLES.map((name) => [name, process.env[name]]));

/** Restart delays in ms: the first, the maximum, and the uptime after which the delay is reset. */
const RESTART_DELAY_MS = { first: 500, longest: 30_000, steady: 60_000 };

/**
 * Starts the test gateway as a child process, on the wanted port or, if that is in use, on a free
 * one. After a crash it is restarted on its port with exponential backoff; its journal restores its
 * state. It ends when this process does.
 * @param where the folder of its journal, and the host name that browsers use for it
 */
export async function startGateway(where: { folder: string; port: number; hostname: string }): Promise<GatewayProcess> {
  const secret = randomBytes(32).toString('base64url');
  const launch = async (wanted: number): Promise<{ child: ChildProcess; port: number }> => {
    const child = fork(fileURLToPath(new URL('../gateway/main.ts', import.meta.url)), [], {
      env: { ...readInheritedVariables(), PORT: String(wanted), GATEWAY_FOLDER: where.folder, GATEWAY_SECRET: secret },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const { port, error = 'it reported neither a port nor an error' } = await waitForStart(child);
    if (port === undefined) throw new Error(`The payment gateway did not start: ${error}.`);
    return { child, port };
  };
  const first = await launch(where.port);
  const { port } = first;
  let { child } = first;
  let stopping = false;
  let wait = RESTART_DELAY_MS.first;
  let timer: NodeJS.Timeout | undefined;
  let starting: Promise<void> = Promise.resolve();

  const startLater = (reason: string): void => {
    console.error(`${reason} Restarting in ${wait / 1000} s.`);
    timer = setTimeout(() => {
      starting = startAgain();
    }, wait);
    wait = Math.min(wait * 2, RESTART_DELAY_MS.longest);
  };
  const watch = (): void => {
    const since = realNow();
    child.once('exit', (code, signal) => {
      if (stopping) return;
      if (realNow() - since > RESTART_DELAY_MS.steady) wait = RESTART_DELAY_MS.first;
      startLater(`The payment gateway exited (${signal ?? code}).`);
    });
  };
  const startAgain = async (): Promise<void> => {
    try {
      const next = await launch(port);
      child = next.child;
      if (next.port === port) watch();
      if (next.port === port || stopping) return;
      // Browsers and the shop use the origin of the first start.
      await endProcess(child);
      startLater(`The port ${port} of the payment gateway is in use.`);
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
      await endProcess(child);
    },
  };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
