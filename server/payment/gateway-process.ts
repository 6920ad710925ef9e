import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { realNow } from '../base/clock/time.ts';

export type GatewayProcess = { origin: string; secret: string; pid(): number | undefined; stop(): Promise<void> };

type StartMessage = { port?: number; error?: string };

async function waitForStart(child: ChildProcess): Promise<StartMessage> {
  const exitMessage = once(child, 'exit').then(([code]): StartMessage => ({ error: `it exited with code ${String(code)}` }));
  const startMessage = once(child, 'message').then(([message]) => message as StartMessage);
  return Promise.race([startMessage, exitMessage]);
}

/**
 * Environment variables that the gateway's process inherits; it gets no other settings or secrets
 * of the shop.
 */
const INHERITED_VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS', 'HOST'];
const readInheritedVariables = () => Object.fromEntries(INHERITED_VARIABLES.map((name) => [name, process.env[name]]));

/** Restart delays in ms: the initial one, the maximum, and the uptime that resets the delay. */
const RESTART_DELAY_MS = { initial: 500, max: 30_000, resetAfter: 60_000 };

/**
 * Starts the test gateway as a child process, on the requested port or, if that is in use, on a
 * free one. After a crash it is restarted on its port with exponential backoff; its journal
 * restores its state. It ends when this process ends.
 * @param options the folder of its journal, the requested port, and its host name for browsers
 */
export async function startGateway(options: { folder: string; port: number; hostname: string }): Promise<GatewayProcess> {
  const secret = randomBytes(32).toString('base64url');
  const launch = async (requestedPort: number): Promise<{ child: ChildProcess; port: number }> => {
    const child = fork(fileURLToPath(new URL('../gateway/main.ts', import.meta.url)), [], {
      env: { ...readInheritedVariables(), PORT: String(requestedPort), GATEWAY_FOLDER: options.folder, GATEWAY_SECRET: secret },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const { port, error = 'it reported neither a port nor an error' } = await waitForStart(child);
    if (port === undefined) throw new Error(`The payment gateway did not start: ${error}.`);
    return { child, port };
  };
  const firstLaunch = await launch(options.port);
  const { port } = firstLaunch;
  let { child } = firstLaunch;
  let isStopping = false;
  let restartDelayMs = RESTART_DELAY_MS.initial;
  let restartTimer: NodeJS.Timeout | undefined;
  let restartPromise: Promise<void> = Promise.resolve();

  const scheduleRestart = (reason: string): void => {
    console.error(`${reason} Restarting in ${restartDelayMs / 1000} s.`);
    restartTimer = setTimeout(() => {
      restartPromise = restart();
    }, restartDelayMs);
    restartDelayMs = Math.min(restartDelayMs * 2, RESTART_DELAY_MS.max);
  };
  const restartOnExit = (): void => {
    const startedAt = realNow();
    child.once('exit', (code, signal) => {
      if (isStopping) return;
      if (realNow() - startedAt > RESTART_DELAY_MS.resetAfter) restartDelayMs = RESTART_DELAY_MS.initial;
      scheduleRestart(`The payment gateway exited (${signal ?? code}).`);
    });
  };
  const restart = async (): Promise<void> => {
    try {
      const newLaunch = await launch(port);
      child = newLaunch.child;
      if (newLaunch.port === port) restartOnExit();
      if (newLaunch.port === port || isStopping) return;
      // Browsers and the shop use the origin of the first start.
      await endProcess(child);
      scheduleRestart(`The port ${port} of the payment gateway is in use.`);
    } catch (error) {
      if (!isStopping) scheduleRestart(error instanceof Error ? error.message : String(error));
    }
  };
  restartOnExit();
  return {
    origin: `http://${options.hostname}:${port}`,
    secret,
    pid: () => child.pid,
    async stop() {
      isStopping = true;
      clearTimeout(restartTimer);
      await restartPromise;
      await endProcess(child);
    },
  };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exitPromise = once(child, 'exit');
  child.kill('SIGTERM');
  await exitPromise;
}
