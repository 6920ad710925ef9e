import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { lockFolder } from '../database/embedded/lock.ts';
import { hostedPages } from './hosted.ts';
import { Intents } from './intents.ts';
import { openJournal } from './journal.ts';
import { storeApi } from './store-api.ts';

/**
 * The built-in test gateway: the stores' calls below /api, the customers' pages below /pay, its book in a journal file.
 * @throws FolderInUse when another gateway has the folder
 */
export function createGateway({ folder, secret }: { folder: string; secret: string }): FastifyInstance {
  const unlock = lockFolder(folder);
  const journal = openJournal(join(folder));
  const intents = new Intents(journal);
  const app = Fastify({ exposeHeadRoutes: false, forceCloseConnections: true, bodyLimit: 32 * 1024 });
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    if (status >= 500) console.error('The payment gateway failed:', error);
    return reply
      .code(status)
      .send({ error: status >= 500 ? 'internal' : String(error instanceof Error ? error.message : error) });
  });
  app.addHook('onClose', async () => {
    journal.close();
    unlock();
  });
  hostedPages(app, intents);
  void app.register(storeApi, { prefix: '/api', intents, secret });
  app.get('/healthz', () => ({ status: 'ok' }));
  return app;
}
