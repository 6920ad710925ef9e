import { FolderInUse } from './base/folder-lock.ts';
import { BadSetting } from './settings/bad-setting.ts';
import { startShop } from './start.ts';
import { surviveStrayErrors } from './base/stray-errors.ts';

/**
 * The cause of a failed start: one sentence where the operator can fix it, otherwise the whole
 * error.
 */
function describeStartFailure(error: unknown): string {
  if (error instanceof FolderInUse || error instanceof BadSetting) return error.message;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const isAboutPort = error instanceof Error && Reflect.get(error, 'syscall') === 'listen';
  const port = error instanceof Error ? String(Reflect.get(error, 'port')) : '';
  if (code === 'EADDRINUSE')
    return `The port ${port} is in use. Stop the process that uses it, or choose another port with PORT.`;
  if (code === 'EACCES' && isAboutPort) return `No permission to listen on the port ${port}. Choose one above 1023 with PORT.`;
  const isConnectionTimeout =
    error instanceof Error && /connection timeout|timeout exceeded when trying to connect/.test(error.message);
  if (code === 'ECONNREFUSED' || isConnectionTimeout) return 'The database of DATABASE_URL cannot be reached.';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  const shop = await startShop(process.env);
  // The handlers are installed after the start: a shop that fails to start exits with its reason.
  surviveStrayErrors((event, error) => shop.log.error({ err: error }, event));
  let isStopping = false;
  const stop = (drainSeconds: number) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    shop.stop(drainSeconds).then(
      () => process.exit(0),
      (error: unknown) => {
        shop.log.error({ err: error }, 'shop.shutdown.failed');
        process.exit(1);
      },
    );
  };
  // Ctrl+C at a terminal skips the drain for load balancers.
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(shop.drainSeconds));
  console.log(`Colophon is ready: ${shop.address}`);
} catch (error) {
  console.error(describeStartFailure(error));
  process.exit(1);
}
