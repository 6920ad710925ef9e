import { FolderInUse } from '../base/folder-lock.ts';
import { createPrivateFiles, makePrivate } from '../settings/private-files.ts';
import { findMisspeltVariables, readVariables } from '../settings/read-variables.ts';
import { createSchema } from '../settings/variable.ts';
import { createGateway } from './app.ts';
import { gatewayVariables } from './variables.ts';
import { realNow } from '../base/clock/time.ts';

/*
 * The gateway's own process. A shop that forks it receives { port } or { error }, allows another
 * port if the preferred one is in use, and stops it when the shop itself stops. Started without a
 * parent, it serves any number of shops until it is stopped.
 */
const hasParent = process.send !== undefined;
const RETRY_INTERVAL_MS = 100;
const LOCK_TIMEOUT_MS = 5000;

/**
 * Creates the gateway, with retries for LOCK_TIMEOUT_MS: a gateway whose parent was killed may
 * still hold the folder's lock.
 */
async function createWhenUnlocked(
  options: { folder: string; secret: string },
  startedAt = realNow(),
): Promise<ReturnType<typeof createGateway>> {
  try {
    return createGateway(options);
  } catch (error) {
    if (!(error instanceof FolderInUse) || realNow() - startedAt > LOCK_TIMEOUT_MS) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS));
    return createWhenUnlocked(options, startedAt);
  }
}

function reportError(message: string): void {
  if (process.send) process.send({ error: message });
  else console.error(message);
}

try {
  // A shop passes only the gateway's own variables, so only a manual start can have misspelt ones.
  if (!hasParent) for (const warning of findMisspeltVariables(gatewayVariables, process.env)) console.error(warning);
  const settings = readVariables(createSchema(gatewayVariables), gatewayVariables, process.env);
  const { GATEWAY_FOLDER: folder, GATEWAY_SECRET: secret, HOST: host, PORT: preferredPort } = settings;
  createPrivateFiles();
  for (const problem of makePrivate(folder)) console.error(problem);
  const app = await createWhenUnlocked({ folder, secret });
  const stop = () => void app.close().then(() => process.exit(0));
  process.on('disconnect', stop);
  process.on('SIGTERM', stop);
  // The terminal sends SIGINT to both processes; the parent decides when this one ends.
  process.on('SIGINT', hasParent ? () => {} : stop);
  await app.listen({ port: preferredPort, host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' || !hasParent) throw error;
    return app.listen({ port: 0, host });
  });
  const address = app.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  if (process.send) process.send({ port });
  else console.log(`The payment gateway is ready: http://${host}:${port}`);
} catch (error) {
  reportError(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
  process.disconnect?.();
}
