import { join } from 'node:path';
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerFactory,
  LogController,
  type RawServerDefault,
} from 'fastify';
import { createPasswords } from './accounts/passwords.ts';
import { operationRoutes } from './admin/operation-routes.ts';
import { paintingRoutes } from './web/painting-routes.ts';
import { propertyRoutes } from './admin/property-routes.ts';
import { apiPlugin } from './api/plugin.ts';
import { Cache } from './catalogue/cache.ts';
import { Vocabularies } from './catalogue/near-words.ts';
import { clockFollower } from './jobs/pass-time.ts';
import type { ServerConfig, TrustedProxies } from './base/config.ts';
import { type ConnectionLimits, exemptsProxies, limitConnections } from './web/connections.ts';
import type { OneAtATime } from './database/one-at-a-time.ts';
import type { Database } from './database/open.ts';
import type { Gateway } from './payment/gateway.ts';
import { type Drain, drainOf } from './base/drain.ts';
import { opdsRoutes } from './opds/routes.ts';
import { refuseMalformedHosts } from './stores/origin.ts';
import { Outbox } from './mail/outbox.ts';
import type { PaymentPort } from './payment/port.ts';
import { purchaseKinds } from './purchases/kinds.ts';
import { outboxTransport, type MailTransport } from './mail/transport.ts';
import { uploadRoutes } from './admin/upload-routes.ts';
import { mediaAddresses, serveMedia } from './media/media.ts';
import { ProviderClients } from './providers/clients.ts';
import type { Services } from './services.ts';
import { SharedAnswers } from './stores/shared-answers.ts';
import { outboxSms, type SmsTransport } from './sms/transport.ts';
import { Stores } from './stores/stores.ts';
import type { Certificate } from './settings/tls.ts';
import { Turns } from './base/turns.ts';
import { configJson } from './web/config-json.ts';
import { refuseCrossSite } from './web/cross-site.ts';
import { gatewayNews } from './jobs/gateway-news.ts';
import { health } from './web/health.ts';
import { pageFor } from './web/page.ts';
import { PageParts } from './web/page-parts.ts';
import { Painter } from './web/painter.ts';
import { securityHeaders } from './web/headers.ts';
import { publicMedia } from './web/public-media.ts';
import { robots } from './web/robots.ts';
import { sitemap } from './web/sitemap.ts';
import { storefront } from './web/storefront.ts';

export type ServerParts = {
  db: Database;
  config: ServerConfig;
  payment: PaymentPort;
  /** what the gateway does beside the port */
  gateway?: Omit<Gateway, 'port'>;
  /** how letters leave the shop; left out, they are written into the data folder's outbox */
  mail?: MailTransport;
  /** how text messages leave the shop; left out, they are written into the data folder's outbox */
  sms?: SmsTransport;
  /** orders the work of several processes; left out where there is one */
  oneAtATime?: OneAtATime;
  /** by which it speaks HTTPS, as HTTP/2 with browsers that know it; left out, it speaks HTTP */
  certificate?: Certificate;
  /** lets another server, such as Vite's, answer what is not this one's */
  serverFactory?: FastifyServerFactory;
  /** The proxies in front: what lies before them in the forwarding headers anybody may have written. */
  trustedProxies?: TrustedProxies;
  /** limits of connections that differ from the usual ones */
  connections?: Partial<ConnectionLimits>;
  /** Milliseconds within which a request must have come. */
  requestTimeout?: number;
  logLevel?: 'silent' | 'error' | 'warn' | 'info';
};

/**
 * Fastify itself checks addresses. It takes no number any more, since who connects directly can pass for a proxy: with a
 * number the port must be reachable by the proxies alone, which the README asks for.
 */
const trustOf = (proxies: TrustedProxies) =>
  typeof proxies === 'number' ? (_address: string, hop: number): boolean => hop < proxies : proxies;

/** What is logged of an error. Database errors also carry the values of rows, which must not be logged. */
const plainError = (error: Error) => ({
  type: error.name,
  message: error.message,
  stack: error.stack ?? '',
  code: Reflect.get(error, 'code') as unknown,
});

/**
 * The address itself, or, where its path cannot be decoded, one whose percent signs are taken as they stand: that is
 * a wrong address, and gets the not-found page.
 */
function decodable(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/** How connections are taken. The types of Fastify tell its servers apart by the protocol, which no route of ours sees. */
function listenerOf({ serverFactory, certificate }: ServerParts, requestTimeout: number): FastifyHttpOptions<RawServerDefault> {
  if (serverFactory) return { serverFactory };
  // An address of thousands of parameters is a wrong turn at worst, not a broken connection.
  // Node exchanges the two limits in time when that of the headers is the longer one.
  const http = { maxHeaderSize: 64 * 1024, headersTimeout: requestTimeout, connectionsCheckingInterval: requestTimeout / 4 };
  if (!certificate) return { http };
  return { http2: true, https: { ...certificate, allowHTTP1: true, ...http } } as unknown as FastifyHttpOptions<RawServerDefault>;
}

/** The store server: the API, media and the built storefront. It listens to nothing until told to. */
export async function createServer(
  parts: ServerParts,
): Promise<{ app: FastifyInstance; services: Services; painter: Painter | undefined; drain: Drain }> {
  const { db, config, payment, requestTimeout = 20_000 } = parts;
  const app = Fastify({
    ...listenerOf(parts, requestTimeout),
    trustProxy: trustOf(parts.trustedProxies ?? 0),
    requestTimeout,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Requests carry tokens in their addresses: they are never logged.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 600 },
    rewriteUrl: ({ url = '/' }) => decodable(url),
    logger: { level: parts.logLevel ?? 'error', serializers: { err: plainError } },
    ajv: { customOptions: { removeAdditional: false, allowUnionTypes: true, keywords: ['xml'] } },
  });
  const turns = new Turns();
  const outbox = new Outbox(join(config.dataFolder, 'outbox'), config.mediaSecret, db);
  const services: Services = {
    db,
    oneAtATime: parts.oneAtATime ?? ((_, run) => run()),
    config,
    payment,
    kinds: purchaseKinds,
    verifyPayment: parts.gateway?.verify,
    stores: new Stores(db, config.storeFreshness),
    cache: new Cache(),
    vocabularies: new Vocabularies(),
    sharedAnswers: new SharedAnswers(config.sharedAnswerBytes, turns),
    turns,
    passwords: createPasswords(config.passwordCost, (err) => app.log.error({ err }, 'a thread for passwords died')),
    providers: new ProviderClients((err) => app.log.error({ err }, 'a provider let nobody in')),
    mediaAddress: mediaAddresses(config),
    outbox,
    mail: parts.mail ?? outboxTransport(outbox),
    sms: parts.sms ?? outboxSms(outbox),
    followClock: (stopping) => followClock(stopping),
    // At this level jobs log their counts; Fastify's own log does not say that it listens.
    log: app.log.child({}, { level: parts.logLevel ?? 'info' }),
  };
  const followClock = clockFollower(services);
  app.addHook('onClose', () => services.passwords.close());
  app.addHook('onClose', async () => services.mail.close());
  const drain = drainOf(app);
  limitConnections(app.server, { isExempt: exemptsProxies(parts.trustedProxies ?? 0), ...parts.connections });
  refuseMalformedHosts(app);
  const pageParts = PageParts.open(config.distFolder);
  securityHeaders(app, config, pageParts?.scriptHashes ?? []);
  refuseCrossSite(app);
  const painter = Painter.open(config, (err) => app.log.error({ err }, 'a page could not be painted'));
  if (painter) app.addHook('onClose', () => painter.close());
  const pages = pageParts && {
    folder: pageParts.folder,
    fill: (request: FastifyRequest) => pageFor({ parts: pageParts, painter }, services, request),
  };
  await storefront(app, config.mediaFolder, pages);
  configJson(app, services);
  sitemap(app, services);
  robots(app, services);
  opdsRoutes(app, services);
  publicMedia(app, services);
  await propertyRoutes(app, services);
  await operationRoutes(app, services);
  await paintingRoutes(app, config, painter);
  await uploadRoutes(app, services);
  await serveMedia(app, db, config);
  health(app, services, drain);
  if (parts.gateway?.news) gatewayNews(app, services, parts.gateway.news);
  parts.gateway?.pages?.(app);
  await app.register(apiPlugin, { prefix: '/api', services });
  return { app, services, painter, drain };
}
