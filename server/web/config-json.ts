import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clockAhead } from '../base/clock/time.ts';
import type { Store } from '../stores/stores.ts';
import { originOf, storeAsked } from '../stores/origin.ts';
import type { Services } from '../services.ts';

/** Calls and promises beyond the specification that the page replaces where a server has none. */
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

/** What the storefront's pages need to know before their first call: where the API is, and which store this host is. */
export const configOf = (store: Store, request: FastifyRequest, { config, payment }: Services) => ({
  apiBase: '/api',
  storeAddress: originOf(store, request, config),
  storeId: store.id,
  storeParameter: 'shelfid',
  appId: store.appId,
  paymentLiveMode: config.paymentLiveMode ?? false,
  paymentPublicKey: config.paymentPublicKey ?? '',
  // What the gateway's page takes beside cards.
  paymentMethods: payment.methods,
  mapsKey: config.mapsKey ?? '',
  coralHost: config.coralHost,
  helpUrl: config.helpUrl,
  appStoreUrls: config.appStoreUrls,
  additions: ADDITIONS,
  // Where the clock of a test-mode shop was moved, the page has its time, too.
  ...(clockAhead() === 0 ? {} : { clockAhead: clockAhead() }),
});

/** The configuration by itself, for pages that came without it. */
export function configJson(app: FastifyInstance, services: Services): void {
  app.get('/config.json', async (request, reply) => {
    const store = await storeAsked(services, request);
    if (!store) return reply.code(404).send({ error: 'There is no store yet.', status: 404, code: 'invalid_store' });
    return reply.header('cache-control', 'no-cache').send(configOf(store, request, services));
  });
}
