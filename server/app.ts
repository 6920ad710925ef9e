import { randomUUID } from 'node:crypto';
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
import { ssrRoutes } from './web/ssr-routes.ts';
import { propertyRoutes } from './admin/property-routes.ts';
import { apiPlugin } from './api/plugin.ts';
import { Cache } from './catalogue/cache.ts';
import { Vocabularies } from './catalogue/near-words.ts';
import { createClockFollower } from './jobs/clock-follower.ts';
import type { ServerConfig, TrustedProxies } from './base/config.ts';
import { type ConnectionLimits, createProxyExemption, limitConnections } from './web/connections.ts';
import type { OneAtATime } from './database/advisory-locks.ts';
import type { Database } from './database/open.ts';
import type { Gateway } from './payment/gateway.ts';
import { realNow } from './base/clock/time.ts';
import { type Drain, createDrain } from './base/drain.ts';
import { type LogLevel, logOfRequests, redact } from './base/log.ts';
import { opdsRoutes } from './opds/routes.ts';
import { rejectMalformedHosts } from './stores/origin.ts';
import { Outbox } from './mail/outbox.ts';
import type { PaymentPort } from './payment/port.ts';
import { purchaseKinds } from './purchases/kinds.ts';
import { createOutboxTransport, type MailTransport } from './mail/transport.ts';
import { uploadRoutes } from './admin/upload-routes.ts';
import { createMediaAddresses, serveMedia } from './media/media.ts';
import { ProviderClients } from './providers/clients.ts';
import type { Services } from './services.ts';
import { SharedAnswerCache } from './stores/shared-answer-cache.ts';
import { createOutboxSmsTransport, type SmsTransport } from './sms/transport.ts';
import { Stores } from './stores/stores.ts';
import type { Certificate } from './settings/tls.ts';
import { PriorityGate } from './base/priority-gate.ts';
import { logRequests } from './web/access-log.ts';
import { registerConfigRoute } from './web/config-json.ts';
import { rejectCrossSite } from './web/cross-site.ts';
import { webhookRoutes } from './jobs/webhook-routes.ts';
import { registerHealthRoutes } from './web/health.ts';
import { getPage } from './web/page.ts';
import { PageParts } from './web/page-parts.ts';
import { PageRenderer } from './web/page-renderer.ts';
import { addSecurityHeaders } from './web/headers.ts';
import { registerPublicMedia } from './web/public-media.ts';
import { registerRobots } from './web/robots.ts';
import { registerSitemap } from './web/sitemap.ts';
import { registerStorefront } from './web/storefront.ts';

export type ServerParts = {
  db: Database;
  config: ServerConfig;
  payment: PaymentPort;
  /** hooks of the gateway beside its payment port */
  gateway?: Omit<Gateway, 'port'>;
  /** transport for e-mail; left out, e-mails are written into the data folder's outbox */
  mail?: MailTransport;
  /** transport for text messages; left out, they are written into the data folder's outbox */
  sms?: SmsTransport;
  /** advisory locks across processes; left out where there is only one process */
  oneAtATime?: OneAtATime;
  /**
   * certificate for HTTPS, with HTTP/2 where browsers support it; left out, the server uses HTTP
   */
  certificate?: Certificate;
  /** lets another server, such as Vite's, answer requests that this one has no route for */
  serverFactory?: FastifyServerFactory;
  /** The proxies in front; forwarding headers from before them may be forged. */
  trustedProxies?: TrustedProxies;
  /** limits of connections that differ from the defaults */
  connections?: Partial<ConnectionLimits>;
  /** Milliseconds within which a request must be received completely. */
  requestTimeout?: number;
  /** the least urgent level that is logged; left out, nothing is */
  logLevel?: LogLevel;
  /** where log lines go, as JSON texts; left out, to the standard output */
  logStream?: { write: (line: string) => void };
};

/**
 * Fastify's option `trustProxy`. Fastify itself checks addresses of proxies, but no longer accepts
 * their number, since a direct caller can pose as a proxy: with a number, the port must be
 * reachable by the proxies alone, as docs/configuration.md says.
 */
const toTrustProxy = (proxies: TrustedProxies) =>
  typeof proxies === 'number' ? (_address: string, hop: number): boolean => hop < proxies : proxies;

/**
 * The fields of an error that are logged. Database errors also carry values of rows, which must not
 * be logged.
 */
const toLoggedError = (error: unknown) => {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return { type: name, message: redact(message), stack: redact(stack), code };
};

/**
 * Returns the URL itself, or, where its path cannot be decoded, one with its percent signs escaped:
 * it then gets the not-found page.
 */
function toDecodableUrl(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

/**
 * How the server accepts connections. Fastify's types differ by protocol, which no route of ours
 * depends on.
 */
function toListenerOptions(
  { serverFactory, certificate }: ServerParts,
  requestTimeout: number,
): FastifyHttpOptions<RawServerDefault> {
  if (serverFactory) return { serverFactory };
  // A URL with thousands of parameters must get an error page, not a broken connection. Node swaps
  // the timeouts of headers and request when the timeout of headers is the longer one.
  const http = { maxHeaderSize: 64 * 1024, headersTimeout: requestTimeout, connectionsCheckingInterval: requestTimeout / 4 };
  if (!certificate) return { http };
  return { http2: true, https: { ...certificate, allowHTTP1: true, ...http } } as unknown as FastifyHttpOptions<RawServerDefault>;
}

/**
 * Creates the store server: the API, media and the built storefront. The caller starts listening.
 */
export async function createServer(
  parts: ServerParts,
): Promise<{ app: FastifyInstance; services: Services; pageRenderer: PageRenderer | undefined; drain: Drain }> {
  const { db, config, payment, requestTimeout = 20_000 } = parts;
  const app = Fastify({
    ...toListenerOptions(parts, requestTimeout),
    trustProxy: toTrustProxy(parts.trustedProxies ?? 0),
    requestTimeout,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Fastify logs URLs, which carry tokens: the access log has routes instead.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 600 },
    rewriteUrl: ({ url = '/' }) => toDecodableUrl(url),
    logger: {
      level: parts.logLevel ?? 'silent',
      base: null,
      messageKey: 'event',
      formatters: { level: (level) => ({ level }) },
      timestamp: () => `,"time":"${new Date(realNow()).toISOString()}"`,
      serializers: { err: toLoggedError },
      ...(parts.logStream ? { stream: parts.logStream } : {}),
    },
    ajv: { customOptions: { removeAdditional: false, allowUnionTypes: true, keywords: ['xml'] } },
  });
  const priorityGate = new PriorityGate();
  const log = logOfRequests(app.log);
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
    sharedAnswers: new SharedAnswerCache(config.sharedAnswerBytes, priorityGate),
    priorityGate,
    passwords: createPasswords(config.passwordCost, (err) => log.error({ err }, 'password.worker.crashed')),
    providers: new ProviderClients((err, { store_id: store, id }) =>
      log.warn({ err, store, provider: id }, 'provider.sign_in.failed'),
    ),
    mediaAddress: createMediaAddresses(config),
    outbox,
    mail: parts.mail ?? createOutboxTransport(outbox),
    sms: parts.sms ?? createOutboxSmsTransport(outbox),
    followClock: (stopping) => followClock(stopping),
    log,
  };
  const followClock = createClockFollower(services);
  app.addHook('onClose', () => services.passwords.close());
  app.addHook('onClose', async () => services.mail.close());
  const drain = createDrain(app);
  limitConnections(app.server, { isExempt: createProxyExemption(parts.trustedProxies ?? 0), ...parts.connections });
  logRequests(app);
  rejectMalformedHosts(app);
  const pageParts = PageParts.open(config.distFolder);
  addSecurityHeaders(app, config, pageParts?.scriptHashes ?? []);
  rejectCrossSite(app);
  const pageRenderer = PageRenderer.open(config, log);
  if (pageRenderer) app.addHook('onClose', () => pageRenderer.close());
  const pages = pageParts && {
    folder: pageParts.folder,
    fill: (request: FastifyRequest) => getPage({ parts: pageParts, pageRenderer }, services, request),
  };
  await registerStorefront(app, config.mediaFolder, pages);
  registerConfigRoute(app, services);
  registerSitemap(app, services);
  registerRobots(app, services);
  opdsRoutes(app, services);
  registerPublicMedia(app, services);
  await propertyRoutes(app, services);
  await operationRoutes(app, services);
  await ssrRoutes(app, config, pageRenderer);
  await uploadRoutes(app, services);
  await serveMedia(app, db, config);
  registerHealthRoutes(app, services, drain);
  if (parts.gateway?.webhooks) webhookRoutes(app, services, parts.gateway.webhooks);
  parts.gateway?.pages?.(app);
  await app.register(apiPlugin, { prefix: '/api', services });
  return { app, services, pageRenderer, drain };
}
