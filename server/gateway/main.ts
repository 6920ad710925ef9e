import { FolderInUse } from '../base/folder-lock.ts';
import { createPrivateFiles, makePrivate } from '../settings/private-files.ts';
import { misspeltVariables, readVariables } from '../settings/read-variables.ts';
import { schemaOf } from '../settings/variable.ts';
import { createGateway } from './app.ts';
import { gatewayVariables } from './variables.ts';
import { realNow } from '../base/clock/time.ts';

/*
 * The gateway as a process of its own. A shop that starts it receives { port } or { error }, lets
 * it take another port where that one is in use, and ends it with itself. Started by itself it
 * serves any number of shops until it is stopped.
 */
const hasParent = process.send !== undefined;
const RETRY = 100;
const LOCK_TIMEOUT = 5000;

/** A gateway whose parent was killed may still be giving up its folder. */
async function create(place: { folder: string; secret: string }, started = realNow()): Promise<ReturnType<typeof createGateway>> {
  try {
    return createGateway(place);
  } catch (error) {
    if (!(error instanceof FolderInUse) || realNow() - started > LOCK_TIMEOUT) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY));
    return create(place, started);
  }
}

function tellError(message: string): void {
  if (process.send) process.send({ error: message });
  else console.error(message);
}

try {
  // A shop hands on what the gateway reads, and no other variable of its environment.
  if (!hasParent) for (const warning of misspeltVariables(gatewayVariables, process.env)) console.error(warning);
  const settings = readVariables(schemaOf(gatewayVariables), gatewayVariables, process.env);
  const { GATEWAY_FOLDER: folder, GATEWAY_SECRET: secret, HOST: host, PORT: wanted } = settings;
  createPrivateFiles();
  for (const problem of makePrivate(folder)) console.error(problem);
  const app = await create({ folder, secret });
  const stop = () => void app.close().then(() => process.exit(0));
  process.on('disconnect', stop);
  process.on('SIGTERM', stop);
  // The terminal sends its interrupt to both processes; the parent decides when this one ends.
  process.on('SIGINT', hasParent ? () => {} : stop);
  await app.listen({ port: wanted, host }).catch((error: NodeJS.ErrnoException) => {
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
