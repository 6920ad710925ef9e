import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clockAhead } from '../base/clock/time.ts';
import type { Store } from '../stores/stores.ts';
import { getStoreOrigin, findRequestedStore } from '../stores/origin.ts';
import type { Services } from '../services.ts';

/**
 * Calls and features beyond the specification, for which the page has a fallback where a server
 * lacks them.
 */
const ADDITIONS = [
  'card/session',
  'gift/preview',
  'payment/session/card',
  'redeem/benefit',
  'subscription/change',
  'titles/byid',
  'user/data',
  'user/gifts',
  'user/providers',
  'user/subscription',
  'user/titles',
  'user/wishlist',
];

/**
 * The configuration that pages need before their first call: the API's address, and the store of
 * this host.
 */
export const toPageConfig = (store: Store, request: FastifyRequest, { config, payment }: Services) => ({
  apiBase: '/api',
  storeAddress: getStoreOrigin(store, request, config),
  storeId: store.id,
  storeParameter: 'shelfid',
  appId: store.appId,
  paymentLiveMode: config.paymentLiveMode ?? false,
  paymentPublicKey: config.paymentPublicKey ?? '',
  // Payment methods on the gateway's page beside cards.
  paymentMethods: payment.methods,
  wallets: payment.wallets ?? [],
  mapsKey: config.mapsKey ?? '',
  coralHost: config.coralHost,
  helpUrl: config.helpUrl,
  appStoreUrls: config.appStoreUrls,
  additions: ADDITIONS,
  // Where the clock of a test-mode shop was moved, the page uses its time, too.
  ...(clockAhead() === 0 ? {} : { clockAhead: clockAhead() }),
});

/** The configuration as a file, for pages that were sent without it. */
export function registerConfigRoute(app: FastifyInstance, services: Services): void {
  app.get('/config.json', async (request, reply) => {
    const store = await findRequestedStore(services, request);
    if (!store) return reply.code(404).send({ error: 'There is no store at this host.', status: 404, code: 'invalid_store' });
    return reply.header('cache-control', 'no-cache').send(toPageConfig(store, request, services));
  });
}
