import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from 'node:tls';
import type { FastifyInstance, FastifyServerFactory } from 'fastify';
import { createServer } from './app.ts';
import { fixClock, readClock } from './kernel/clock-row.ts';
import { DEFAULT_MEDIA_RIGHTS_FRESHNESS, DEFAULT_SHARED_ANSWER_BYTES, DEFAULT_STORE_FRESHNESS } from './base/config.ts';
import { type Database, type OpenDatabase, openDatabase } from './database/open.ts';
import { sharedSecret } from './database/shared-secret.ts';
import type { Gateway } from './payment/gateway.ts';
import { gatewayNames } from './payment/gateway-names.ts';
import { type GatewayProcess, startGateway } from './payment/gateway-process.ts';
import type { ChosenProvider } from './payment/providers.ts';
import { smtpTransport } from './mail/transport.ts';
import { testGateway } from './payment/test-gateway.ts';
import { testGatewayNews } from './payment/test-gateway-news.ts';
import { jobs, startJob } from './jobs/jobs.ts';
import { startPeriodic } from './base/periodic.ts';
import { addressWarning } from './stores/public-address.ts';
import { createPrivateFiles, makePrivate, markShopFolder } from './settings/private-files.ts';
import { BadSetting } from './settings/bad-setting.ts';
import { misspeltVariables } from './settings/read-variables.ts';
import type { Settings } from './settings/settings.ts';
import { readCertificate, renewing } from './settings/tls.ts';
import { httpSms } from './sms/transport.ts';
import { loadDemoStores } from './setup/demo-store.ts';
import { readEnvironment, variables } from './setup/environment.ts';
import { reportProperties } from './setup/report-properties.ts';
import { reportHiddenTitles } from './setup/offered-kinds.ts';
import { loadProviders } from './setup/providers-file.ts';
import { offerTestProviders } from './setup/test-providers.ts';
import { BadProvider } from './setup/save-providers.ts';
import { paintAhead } from './web/paint-ahead.ts';
import { clockAhead, shopNow } from './base/clock/time.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const MINUTE = 60_000;
/** Milliseconds within which a process has the time that another one has set. */
const CLOCK_INTERVAL = 1000;
const demoFolder = join(root, 'server', 'demo');

export type RunningServer = {
  address: string;
  /** seconds that DRAIN_SECONDS gives load balancers before a stop */
  drainSeconds: number;
  /**
   * @param drainSeconds for which the shop still answers, so that load balancers leave it first; 0
   * without
   */
  stop(drainSeconds?: number): Promise<void>;
};

/** Undoes what was started, the last first. */
class Cleanup {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** @throws AggregateError of the steps that failed, after all of them */
  async run(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.#steps.splice(0).toReversed()) await step().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'));
  }
}

/**
 * Starts the whole shop: database, demo stores, payment gateway, server and sweep.
 * @param options.serverFactory lets another server answer what is not this one's; then nothing built is served
 * @throws FolderInUse, BadSetting, or the listening socket's EADDRINUSE; whatever was started is stopped again
 */
export async function startShop(
  environment: NodeJS.ProcessEnv,
  options: { serverFactory?: FastifyServerFactory } = {},
): Promise<RunningServer> {
  for (const warning of misspeltVariables(variables, environment)) console.warn(warning);
  const settings = readEnvironment(environment, root);
  const { provider, certificate } = settings;
  createPrivateFiles();
  for (const problem of makePrivate(settings.dataFolder)) console.error(problem);
  markShopFolder(settings.dataFolder);
  makeMediaFolder(settings);
  const cleanup = new Cleanup();
  try {
    const database = await openDatabase(settings.database);
    cleanup.add(() => database.close());
    await startClock(database.db, provider);
    const tellClock = clockTeller();
    tellClock();
    await loadDemo(database);
    await giveProviders(database, settings);
    const warning = await addressWarning(settings, database.db);
    if (warning !== undefined) console.warn(warning);
    // Known once the shop listens.
    const here: { origin?: string } = {};
    const { gateway, origins } = await gatewayFor(settings, provider, database, here, cleanup);
    await offerTestProviders(database.db, provider === undefined && settings.testProviders ? origins[0] : undefined);
    const { app, services, painter, drain } = await createServer({
      db: database.db,
      oneAtATime: database.oneAtATime,
      config: {
        dataFolder: settings.dataFolder,
        publicUrl: settings.publicUrl,
        storeFreshness: DEFAULT_STORE_FRESHNESS,
        sharedAnswerBytes: DEFAULT_SHARED_ANSWER_BYTES,
        mediaFolder: join(demoFolder, 'media'),
        titlesFolder: settings.titlesFolder,
        painting: settings.painting,
        distFolder: options.serverFactory ? undefined : join(root, 'dist'),
        paymentOrigins: origins,
        paymentLiveMode: provider?.isLive ?? false,
        paymentPublicKey: provider?.publicKey,
        mapsKey: settings.mapsKey,
        mediaSecret: await sharedSecret(database.db, 'media'),
        mediaLifetime: settings.mediaLifetime,
        mediaRightsFreshness: DEFAULT_MEDIA_RIGHTS_FRESHNESS,
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
      ...(settings.mailUrl === undefined ? {} : { mail: smtpTransport(settings.mailUrl) }),
      ...(settings.smsUrl === undefined ? {} : { sms: httpSms(settings.smsUrl) }),
      trustedProxies: settings.trustedProxies,
      ...(certificate ? { certificate: readCertificate(certificate) } : {}),
      ...(options.serverFactory ? { serverFactory: options.serverFactory } : {}),
    });
    cleanup.add(() => app.close());
    await reportProperties(services);
    await reportHiddenTitles(services);
    await app.listen({ port: settings.port, host: settings.host });
    here.origin = originForGateway(settings, portOf(app));
    const failed = (what: string) => (error: unknown) => services.log.error({ err: error }, `${what} failed`);
    for (const job of jobs) cleanup.add(startJob(job, services, database.ifFree));
    const follow = (stopping: AbortSignal) => services.followClock(stopping).finally(tellClock);
    if (!provider) cleanup.add(startPeriodic(follow, CLOCK_INTERVAL, failed('moving the clock')));
    const renewed = certificate && renewing(app.server as unknown as Server, certificate);
    if (renewed) cleanup.add(startPeriodic(renewed, MINUTE, failed('taking a renewed certificate')));
    const address = settings.publicUrl ?? `${schemeOf(settings)}://localhost:${portOf(app)}`;
    if (painter) {
      const stop = new AbortController();
      paintAhead(app, painter, address, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) failed('painting ahead')(error);
      });
      cleanup.add(async () => stop.abort());
    }
    return {
      address,
      drainSeconds: settings.drainSeconds,
      async stop(drainSeconds = 0) {
        await drain.run(drainSeconds);
        await cleanup.run();
      },
    };
  } catch (error) {
    await cleanup.run().catch((failure: unknown) => console.error(failure));
    throw error;
  }
}

/** A new shop has no media yet, and is ready all the same. @throws BadSetting */
function makeMediaFolder({ titlesFolder }: Settings): void {
  try {
    mkdirSync(titlesFolder, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BadSetting(`MEDIA_DIR must be a folder that the shop can make and write, not "${titlesFolder}": ${reason}`);
  }
}

/**
 * Takes the shop's time from the database. With a provider of real payments the clock cannot be
 * moved.
 * @throws BadSetting for a shop with one of them on a database whose clock was moved
 */
async function startClock(db: Database, provider: ChosenProvider | undefined): Promise<void> {
  await readClock(db);
  if (provider && !(await fixClock(db)))
    throw new BadSetting(
      `PAYMENT_PROVIDER=${provider.name} needs a database whose clock was never moved. Choose another DATA_DIR or DATABASE_URL.`,
    );
}

/** Logs when the shop's time differs from the machine's, and when it moves. */
function clockTeller(): () => void {
  let told = 0;
  return () => {
    if (clockAhead() !== told) console.warn(`The clock of this shop was moved: its time is ${shopNow().toISOString()}.`);
    told = clockAhead();
  };
}

/** The gateway that payments go by, and the origins of its pages that forms of the shop are sent to. */
async function gatewayFor(
  settings: Settings,
  provider: ChosenProvider | undefined,
  { db }: OpenDatabase,
  here: { origin?: string },
  cleanup: Cleanup,
): Promise<{ gateway: Gateway; origins: string[] }> {
  const { paymentTimeout: timeout } = settings;
  if (!provider) {
    const { origin, secret } = settings.gateway ?? (await startOwnGateway(settings, cleanup));
    const path = '/webhooks/test';
    const notifyUrl = () => here.origin && `${here.origin}${path}`;
    const port = testGateway({ origin, secret, timeout, notifyUrl });
    return { gateway: { port, news: { path, read: testGatewayNews(secret) } }, origins: [origin] };
  }
  const names = gatewayNames(db, `${provider.name} ${provider.isLive ? 'live' : 'test'}`);
  return { gateway: provider.make(timeout, names), origins: [] };
}

const schemeOf = ({ certificate }: Settings): string => (certificate ? 'https' : 'http');

/** Where the test gateway reaches this shop: its own is on this machine, another one may be anywhere. A certificate is for the public name. */
function originForGateway(settings: Settings, port: number): string {
  const { gateway, publicUrl, host, certificate } = settings;
  if ((gateway || certificate) && publicUrl !== undefined) return publicUrl;
  const isEverywhere = host === '0.0.0.0' || host === '::';
  return `${schemeOf(settings)}://${isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
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

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens to no port.');
  return address.port;
}

async function loadDemo({ db, oneAtATime }: OpenDatabase): Promise<void> {
  const made = await oneAtATime('demo stores', () => loadDemoStores(db, demoFolder));
  if (made === undefined) console.log('There is no demo store to load: the shop starts empty.');
  else if (made.length > 0) console.log(`Loaded the demo stores: ${made.join(', ')}.`);
}

async function giveProviders({ db }: OpenDatabase, { providersFile }: Settings): Promise<void> {
  if (providersFile === undefined) return;
  await loadProviders(db, providersFile).catch((error: unknown) => {
    throw error instanceof BadProvider ? new BadSetting(`PROVIDERS_FILE: ${error.message}`) : error;
  });
}
