import { FolderInUse } from '../database/embedded/lock.ts';
import { createGateway } from './app.ts';

/*
 * The gateway as a process of its own. Its parent passes PORT (0 takes a free one), GATEWAY_FOLDER and GATEWAY_SECRET,
 * and hears { port } or { error }. It ends with its parent, however that ends.
 */
const tell = (message: object) => process.send?.(message);
const RETRY = 100;
const LOCK_TIMEOUT = 5000;

/** A gateway whose parent was killed may still be giving up its folder. */
async function create(started = Date.now()): Promise<ReturnType<typeof createGateway>> {
  try {
    return createGateway({ folder: process.env['GATEWAY_FOLDER'] ?? '', secret: process.env['GATEWAY_SECRET'] ?? '' });
  } catch (error) {
    if (!(error instanceof FolderInUse) || Date.now() - started > LOCK_TIMEOUT) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY));
    return create(started);
  }
}

try {
  const app = await create();
  const stop = () => void app.close().then(() => process.exit(0));
  process.on('disconnect', stop);
  process.on('SIGTERM', stop);
  // The terminal sends its interrupt to both processes; the parent decides when this one ends.
  process.on('SIGINT', () => {});
  const port = Number(process.env['PORT'] ?? 0);
  await app.listen({ port, host: process.env['HOST'] ?? '127.0.0.1' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    return app.listen({ port: 0, host: process.env['HOST'] ?? '127.0.0.1' });
  });
  const address = app.server.address();
  tell({ port: typeof address === 'object' ? address?.port : undefined });
} catch (error) {
  tell({ error: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
  process.disconnect?.();
}
