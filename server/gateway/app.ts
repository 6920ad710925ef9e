import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { lockFolder } from '../base/folder-lock.ts';
import { registerHostedPages } from './hosted.ts';
import { Intents } from './intents.ts';
import { openJournal } from './journal.ts';
import { SavedCards } from './saved-cards.ts';
import { WebhookSender } from './webhooks.ts';
import { Setups } from './setups.ts';
import { registerSignInProviders } from './sign-in-providers.ts';
import { ShopTime } from './shop-time.ts';
import { storeApi } from './store-api.ts';
import { Subscriptions } from './subscriptions.ts';
import { PERMISSIONS_POLICY } from '../base/permissions-policy.ts';
import { realNow } from '../base/clock/time.ts';

/**
 * Creates the built-in test gateway: its API below /api, the customers' pages below /pay and
 * /setup, its state in a journal file. It also serves fake sign-in providers below /providers.
 * @param options.now the machine's time in ms since 1970
 * @param options.lateDelayMs delay of late webhooks in ms
 * @throws FolderInUse if another gateway uses the folder
 */
export function createGateway(options: {
  folder: string;
  secret: string;
  now?: () => number;
  lateDelayMs?: number;
}): FastifyInstance {
  const { folder, secret, now = realNow } = options;
  const unlock = lockFolder(folder);
  const journal = openJournal(join(folder));
  const cards = new SavedCards(journal);
  const time = new ShopTime(now);
  const subscriptions = new Subscriptions(journal, time.now);
  const webhooks = new WebhookSender(secret, options.lateDelayMs);
  const intents = new Intents(journal, { cards, subscriptions, webhooks, time });
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
  app.setErrorHandler((error, request, reply) => {
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    if (status >= 500)
      console.error(
        `The payment gateway failed to answer ${request.method} ${request.routeOptions.url ?? 'an unknown path'}:`,
        error,
      );
    return reply
      .code(status)
      .send({ error: status >= 500 ? 'internal' : String(error instanceof Error ? error.message : error) });
  });
  app.addHook('onClose', async () => {
    webhooks.close();
    journal.close();
    unlock();
  });
  registerHostedPages(app, { intents, setups, time });
  void app.register(storeApi, { prefix: '/api', intents, setups, cards, subscriptions, time, secret });
  registerSignInProviders(app, { secret, now });
  app.get('/healthz', () => ({ status: 'ok' }));
  return app;
}
