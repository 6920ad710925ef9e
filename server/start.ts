import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from 'node:tls';
import type { FastifyInstance, FastifyServerFactory } from 'fastify';
import pretty from 'pino-pretty';
import { createServer } from './app.ts';
import { fixClock, readClock } from './kernel/clock-row.ts';
import { DEFAULT_MEDIA_RIGHTS_CACHE_MS, DEFAULT_SHARED_ANSWER_BYTES, DEFAULT_STORE_CACHE_MS } from './base/config.ts';
import { type Database, type OpenDatabase, openDatabase } from './database/open.ts';
import { getOrCreateSecret } from './database/shared-secret.ts';
import type { Gateway } from './payment/gateway.ts';
import { createGatewayNames } from './payment/gateway-names.ts';
import { type GatewayProcess, startGateway } from './payment/gateway-process.ts';
import type { ChosenProvider } from './payment/providers.ts';
import { createSmtpTransport } from './mail/transport.ts';
import { createTestGateway } from './payment/test-gateway.ts';
import { createTestGatewayWebhookReader } from './payment/test-gateway-webhook.ts';
import { jobs, startJob } from './jobs/jobs.ts';
import type { Log } from './base/log.ts';
import { startPeriodic } from './base/periodic.ts';
import { findAddressWarning } from './stores/public-address.ts';
import { createPrivateFiles, makePrivate, markShopFolder } from './settings/private-files.ts';
import { BadSetting } from './settings/bad-setting.ts';
import { findMisspeltVariables } from './settings/read-variables.ts';
import type { Settings } from './settings/settings.ts';
import { readCertificate, createCertificateReloader } from './settings/tls.ts';
import { createHttpSmsTransport } from './sms/transport.ts';
import { loadDemoStores } from './setup/demo-store.ts';
import { readEnvironment, variables } from './setup/environment.ts';
import { reportProperties } from './setup/report-properties.ts';
import { reportHiddenTitles } from './setup/offered-kinds.ts';
import { loadProviders } from './setup/providers-file.ts';
import { offerTestProviders } from './setup/test-providers.ts';
import { BadProvider } from './setup/save-providers.ts';
import { warmUpPages } from './web/warm-up-pages.ts';
import { clockAhead, shopNow } from './base/clock/time.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const MINUTE_MS = 60_000;
/** Polling interval in milliseconds: other processes take over a moved clock within it. */
const CLOCK_INTERVAL_MS = 1000;
const demoFolder = join(root, 'server', 'demo');

export type RunningServer = {
  address: string;
  log: Log;
  /** DRAIN_SECONDS: time before a stop for load balancers to notice */
  drainSeconds: number;
  /**
   * @param drainSeconds for which the shop still answers, so that load balancers take it out first;
   * 0 stops at once
   */
  stop(drainSeconds?: number): Promise<void>;
};

/** Undoes the steps of the start, the last first. */
class Cleanup {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** @throws AggregateError of the failed steps, after all of them have run */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.#steps.splice(0).toReversed()) await step().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'));
  }
}

/**
 * Starts the whole shop: database, demo stores, payment gateway, server and jobs.
 * @param options.serverFactory lets another server answer requests without a route here; then
 * nothing built is served
 * @throws FolderInUse, BadSetting, or the listening socket's EADDRINUSE, after everything already
 * started is stopped again
 */
export async function startShop(
  environment: NodeJS.ProcessEnv,
  options: { serverFactory?: FastifyServerFactory } = {},
): Promise<RunningServer> {
  for (const warning of findMisspeltVariables(variables, environment)) console.warn(warning);
  const settings = readEnvironment(environment, root);
  const { provider, certificate } = settings;
  createPrivateFiles();
  for (const problem of makePrivate(settings.dataFolder)) console.error(problem);
  markShopFolder(settings.dataFolder);
  makeMediaFolder(settings);
  const cleanup = new Cleanup();
  // Undefined until the server is created.
  let log: Log | undefined;
  try {
    const database = await openDatabase(settings.database);
    cleanup.add(() => database.close());
    await startClock(database.db, provider);
    const demoStores = await loadDemo(database);
    await loadStoreProviders(database, settings);
    const warning = await findAddressWarning(settings, database.db);
    if (warning !== undefined) console.warn(warning);
    // The origin is set once the shop listens.
    const shopAddress: { origin?: string } = {};
    const { gateway, origins } = await openGateway(settings, provider, database, shopAddress, cleanup);
    await offerTestProviders(database.db, provider === undefined && settings.testProviders ? origins[0] : undefined);
    const { app, services, pageRenderer, drain } = await createServer({
      db: database.db,
      oneAtATime: database.oneAtATime,
      config: {
        dataFolder: settings.dataFolder,
        publicUrl: settings.publicUrl,
        storeFreshness: DEFAULT_STORE_CACHE_MS,
        sharedAnswerBytes: DEFAULT_SHARED_ANSWER_BYTES,
        mediaFolder: join(demoFolder, 'media'),
        titlesFolder: settings.titlesFolder,
        ssr: settings.ssr,
        distFolder: options.serverFactory ? undefined : join(root, 'dist'),
        paymentOrigins: origins,
        paymentLiveMode: provider?.isLive ?? false,
        paymentPublicKey: provider?.publicKey,
        mapsKey: settings.mapsKey,
        mediaSecret: await getOrCreateSecret(database.db, 'media'),
        mediaLifetime: settings.mediaLifetime,
        mediaRightsFreshness: DEFAULT_MEDIA_RIGHTS_CACHE_MS,
        passwordCost: settings.passwordCost,
        adminToken: settings.adminToken,
        coralHost: settings.coralHost,
        helpUrl: settings.helpUrl,
        appStoreUrls: settings.appStoreUrls,
        supportEmail: settings.supportEmail,
        mailFrom: settings.mailFrom,
        signUpsPerHour: settings.signUpsPerHour,
        smsPerCountryDay: settings.smsPerCountryDay,
      },
      payment: gateway.port,
      gateway,
      ...(settings.mailUrl === undefined ? {} : { mail: createSmtpTransport(settings.mailUrl) }),
      ...(settings.smsUrl === undefined ? {} : { sms: createHttpSmsTransport(settings.smsUrl) }),
      trustedProxies: settings.trustedProxies,
      ...(certificate ? { certificate: readCertificate(certificate) } : {}),
      logLevel: settings.logLevel,
      ...createLogStream(settings),
      ...(options.serverFactory ? { serverFactory: options.serverFactory } : {}),
    });
    cleanup.add(() => app.close());
    log = services.log;
    const reportClock = createClockReporter(log);
    reportClock();
    reportDemo(log, demoStores);
    await reportProperties(services);
    await reportHiddenTitles(services);
    await app.listen({ port: settings.port, host: settings.host, listenTextResolver: () => 'server.listening' });
    shopAddress.origin = getOriginForGateway(settings, getPort(app));
    const logFailure = (event: string) => (error: unknown) => services.log.error({ err: error }, event);
    for (const job of jobs) cleanup.add(startJob(job, services, database.ifFree));
    const followClock = (stopping: AbortSignal) => services.followClock(stopping).finally(reportClock);
    if (!provider) cleanup.add(startPeriodic(followClock, CLOCK_INTERVAL_MS, logFailure('clock.follow.failed')));
    const reloadCertificate = certificate && createCertificateReloader(app.server as unknown as Server, certificate);
    if (reloadCertificate) cleanup.add(startPeriodic(reloadCertificate, MINUTE_MS, logFailure('certificate.reload.failed')));
    const address = settings.publicUrl ?? `${getScheme(settings)}://localhost:${getPort(app)}`;
    if (pageRenderer) {
      const warmUpAbort = new AbortController();
      warmUpPages(app, pageRenderer, address, warmUpAbort.signal).catch((error: unknown) => {
        if (!warmUpAbort.signal.aborted) logFailure('ssr.warm_up.failed')(error);
      });
      cleanup.add(async () => warmUpAbort.abort());
    }
    return {
      address,
      log,
      drainSeconds: settings.drainSeconds,
      async stop(drainSeconds = 0) {
        await drain.run(drainSeconds);
        await cleanup.run();
      },
    };
  } catch (error) {
    await cleanup.run().catch((failure: unknown) => {
      if (log) log.error({ err: failure }, 'start.clean_up.failed');
      else console.error('The failed start could not be undone completely:', failure);
    });
    throw error;
  }
}

/** The stream that writes events as text for a terminal; none for JSON, for log collectors. */
function createLogStream({ logFormat }: Settings): { logStream?: { write: (line: string) => void } } {
  const isText = logFormat === undefined ? process.stdout.isTTY : logFormat === 'text';
  return isText ? { logStream: pretty({ messageKey: 'event', sync: true }) } : {};
}

/** Creates the media folder, which a new shop lacks. @throws BadSetting */
function makeMediaFolder({ titlesFolder }: Settings): void {
  try {
    mkdirSync(titlesFolder, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadSetting(`MEDIA_DIR must be a folder that the shop can create and write, not "${titlesFolder}": ${reason}`);
  }
}

/**
 * Reads the shop's time from the database. With a real payment provider the clock must not be
 * moved.
 * @throws BadSetting for a shop with a real provider on a database whose clock was moved
 */
async function startClock(db: Database, provider: ChosenProvider | undefined): Promise<void> {
  await readClock(db);
  if (provider && !(await fixClock(db)))
    throw new BadSetting(
      `PAYMENT_PROVIDER=${provider.name} needs a database whose clock was never moved. Choose another DATA_DIR or DATABASE_URL.`,
    );
}

/** Logs when the shop's time differs from the machine's, and when it moves. */
function createClockReporter(log: Log): () => void {
  let reportedMs = 0;
  return () => {
    const aheadMs = clockAhead();
    if (aheadMs !== reportedMs) log.warn({ shopTime: shopNow().toISOString(), aheadMs }, 'clock.moved');
    reportedMs = aheadMs;
  };
}

/** The payment gateway, and the origins of its pages, to which forms of the shop are sent. */
async function openGateway(
  settings: Settings,
  provider: ChosenProvider | undefined,
  { db }: OpenDatabase,
  shopAddress: { origin?: string },
  cleanup: Cleanup,
): Promise<{ gateway: Gateway; origins: string[] }> {
  const { paymentTimeout: timeout } = settings;
  if (!provider) {
    const { origin, secret } = settings.gateway ?? (await startOwnGateway(settings, cleanup));
    const path = '/webhooks/test';
    const notifyUrl = () => shopAddress.origin && `${shopAddress.origin}${path}`;
    const port = createTestGateway({ origin, secret, timeout, notifyUrl });
    return { gateway: { port, webhooks: { path, read: createTestGatewayWebhookReader(secret) } }, origins: [origin] };
  }
  const names = createGatewayNames(db, `${provider.name} ${provider.isLive ? 'live' : 'test'}`);
  return { gateway: provider.buildGateway(timeout, names), origins: [] };
}

const getScheme = ({ certificate }: Settings): string => (certificate ? 'https' : 'http');

/**
 * The origin at which the test gateway reaches this shop: the built-in one is on this machine, an
 * external one may be anywhere. A certificate is for the public name.
 */
function getOriginForGateway(settings: Settings, port: number): string {
  const { gateway, publicUrl, host, certificate } = settings;
  if ((gateway || certificate) && publicUrl !== undefined) return publicUrl;
  const isEverywhere = host === '0.0.0.0' || host === '::';
  return `${getScheme(settings)}://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function startOwnGateway(settings: Settings, cleanup: Cleanup): Promise<GatewayProcess> {
  const gateway = await startGateway({
    folder: join(settings.dataFolder, 'gateway'),
    port: settings.port === 0 ? 0 : settings.port + 1,
    hostname: new URL(settings.publicUrl ?? 'http://localhost').hostname,
  });
  cleanup.add(() => gateway.stop());
  return gateway;
}

function getPort(app: FastifyInstance): number {
  const address = app.server.address();
  if (address === null || typeof address === 'string')
    throw new Error(`The server listens on ${address ?? 'no address'}: expected an address with a port.`);
  return address.port;
}

/**
 * @returns the ids of the created stores; undefined where the files of the demo stores are missing
 */
const loadDemo = ({ db, oneAtATime }: OpenDatabase): Promise<string[] | undefined> =>
  oneAtATime('demo stores', () => loadDemoStores(db, demoFolder));

function reportDemo(log: Log, stores: string[] | undefined): void {
  if (stores === undefined) log.info({ folder: demoFolder }, 'demo.stores.missing');
  else if (stores.length > 0) log.info({ stores }, 'demo.stores.loaded');
}

async function loadStoreProviders({ db }: OpenDatabase, { providersFile }: Settings): Promise<void> {
  if (providersFile === undefined) return;
  await loadProviders(db, providersFile).catch((error: unknown) => {
    throw error instanceof BadProvider ? new BadSetting(`PROVIDERS_FILE: ${error.message}`) : error;
  });
}
