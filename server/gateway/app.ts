import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { lockFolder } from '../base/folder-lock.ts';
import { hostedPages } from './hosted.ts';
import { Intents } from './intents.ts';
import { openJournal } from './journal.ts';
import { KeptCards } from './kept-cards.ts';
import { News } from './news.ts';
import { Setups } from './setups.ts';
import { signInProviders } from './sign-in-providers.ts';
import { ShopTime } from './shop-time.ts';
import { storeApi } from './store-api.ts';
import { Subscriptions } from './subscriptions.ts';
import { PERMISSIONS_POLICY } from '../base/permissions-policy.ts';
import { realNow } from '../base/clock/time.ts';

/**
 * The built-in test gateway: the stores' calls below /api, the customers' pages below /pay and
 * /setup, its book in a journal file. Beside it, sign-in providers below /providers.
 * @param options.now the machine's time in milliseconds since 1970
 * @param options.late milliseconds by which late messages come late
 * @throws FolderInUse when another gateway has the folder
 */
export function createGateway(options: { folder: string; secret: string; now?: () => number; late?: number }): FastifyInstance {
  const { folder, secret, now = realNow } = options;
  const unlock = lockFolder(folder);
  const journal = openJournal(join(folder));
  const cards = new KeptCards(journal);
  const time = new ShopTime(now);
  const subscriptions = new Subscriptions(journal, time.now);
  const news = new News(secret, options.late);
  const intents = new Intents(journal, { cards, subscriptions, news, time });
  const setups = new Setups(journal, { cards, subscriptions, time });
  const app = Fastify({ exposeHeadRoutes: false, forceCloseConnections: true, bodyLimit: 32 * 1024 });
  app.addHook('onSend', async (_request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': PERMISSIONS_POLICY,
    });
  });
  app.setErrorHandler((error, _request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    if (status >= 500) console.error('The payment gateway failed:', error);
    return reply
      .code(status)
      .send({ error: status >= 500 ? 'internal' : String(error instanceof Error ? error.message : error) });
  });
  app.addHook('onClose', async () => {
    news.close();
    journal.close();
    unlock();
  });
  hostedPages(app, { intents, setups, time });
  void app.register(storeApi, { prefix: '/api', intents, setups, cards, subscriptions, time, secret });
  signInProviders(app, { secret, now });
  app.get('/healthz', () => ({ status: 'ok' }));
  return app;
}
