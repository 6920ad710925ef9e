import { FolderInUse } from '../base/folder-lock.ts';
import { createPrivateFiles, makePrivate } from '../settings/private-files.ts';
import { createGateway } from './app.ts';
import { realNow } from '../base/clock/time.ts';

/*
 * The gateway as a process of its own. GATEWAY_FOLDER is where its journal is kept, GATEWAY_SECRET what the shops show it,
 * PORT and HOST where it listens. A shop that starts it hears { port } or { error }, lets it take another port where that
 * one is in use, and takes it along when it ends. Started by itself it serves any number of shops until it is stopped.
 */
const { GATEWAY_FOLDER: folder = '', GATEWAY_SECRET: secret = '', HOST: host = '127.0.0.1', PORT: wanted = '0' } = process.env;
const hasParent = process.send !== undefined;
const RETRY = 100;
const LOCK_TIMEOUT = 5000;
const SHORTEST_SECRET = 16;

/** A gateway whose parent was killed may still be giving up its folder. */
async function create(started = realNow()): Promise<ReturnType<typeof createGateway>> {
  try {
    return createGateway({ folder, secret });
  } catch (error) {
    if (!(error instanceof FolderInUse) || realNow() - started > LOCK_TIMEOUT) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY));
    return create(started);
  }
}

function tellError(message: string): void {
  if (process.send) process.send({ error: message });
  else console.error(message);
}

try {
  if (folder === '') throw new Error('GATEWAY_FOLDER must name the folder of the journal.');
  if (secret.length < SHORTEST_SECRET) throw new Error(`GATEWAY_SECRET must have at least ${SHORTEST_SECRET} characters.`);
  createPrivateFiles();
  for (const problem of makePrivate(folder)) console.error(problem);
  const app = await create();
  const stop = () => void app.close().then(() => process.exit(0));
  process.on('disconnect', stop);
  process.on('SIGTERM', stop);
  // The terminal sends its interrupt to both processes; the parent decides when this one ends.
  process.on('SIGINT', hasParent ? () => {} : stop);
  await app.listen({ port: Number(wanted), host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' || !hasParent) throw error;
    return app.listen({ port: 0, host });
  });
  const address = app.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  if (process.send) process.send({ port });
  else console.log(`The payment gateway is ready: http://${host}:${port}`);
} catch (error) {
  tellError(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
  process.disconnect?.();
}
