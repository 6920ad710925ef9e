import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { createServer } from '../../../server/app.ts';
import { DEFAULT_SHARED_ANSWER_BYTES, type ServerConfig, type TrustedProxies } from '../../../server/base/config.ts';
import { type Database, openDatabase } from '../../../server/database/open.ts';
import { createGateway } from '../../../server/gateway/app.ts';
import type { Gateway } from '../../../server/payment/gateway.ts';
import type { PaymentPort } from '../../../server/payment/port.ts';
import { findLedgerFaults } from '../../../server/payment/ledger.ts';
import { createTestGateway } from '../../../server/payment/test-gateway.ts';
import { createTestGatewayWebhookReader } from '../../../server/payment/test-gateway-webhook.ts';
import { type NewStore, saveStore } from '../../../server/setup/save-store.ts';
import { readValidated } from './answers.ts';
import { LogLines } from './log-lines.ts';
import { allKindsEnabled, makeStore } from './stores.ts';
import { newTestDatabase } from './test-database.ts';

const SECRET = 'the secret of the tests';
/** Long enough for a response on a busy computer, short enough to wait for a lost one. */
const PAYMENT_TIMEOUT_MS = 1500;

export type CallParameters = {
  query?: Record<string, string | number | boolean | undefined>;
  path?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string | object;
  method?: 'GET' | 'POST';
};

type ShopOptions = {
  payment?: (port: PaymentPort) => PaymentPort;
  /** replaces the built-in gateway */
  gateway?: (db: Database) => Gateway;
  config?: Partial<ServerConfig>;
  trustedProxies?: TrustedProxies;
  /** the gateway's clock, in ms since 1970 */
  gatewayNow?: () => number;
  /**
   * URL that receives the gateway's webhooks and forwards them to the shop, and the delay of
   * webhooks with a card that delays them, in ms.
   */
  webhooks?: { notifyUrl: string; lateDelayMs: number };
};

/**
 * Opens a shop in this process: its own database, a gateway on its own port, and a server that is
 * called without a socket.
 */
export async function openShop(options: ShopOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-shop-'));
  await mkdir(join(folder, 'titles'));
  const database = await openDatabase(await newTestDatabase());
  const gateway = createGateway({
    folder: join(folder, 'gateway'),
    secret: SECRET,
    ...(options.gatewayNow ? { now: options.gatewayNow } : {}),
    ...(options.webhooks ? { lateDelayMs: options.webhooks.lateDelayMs } : {}),
  });
  const log = new LogLines();
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  const notifyUrl = () => options.webhooks?.notifyUrl;
  const port = createTestGateway({ origin, secret: SECRET, timeout: PAYMENT_TIMEOUT_MS, notifyUrl });
  const testGatewayWithWebhooks = options.webhooks && {
    port,
    webhooks: { path: '/webhooks/test', read: createTestGatewayWebhookReader(SECRET) },
  };
  const configuredGateway = options.gateway?.(database.db) ?? testGatewayWithWebhooks;
  const { app, services, pageRenderer } = await createServer({
    db: database.db,
    config: {
      dataFolder: folder,
      mediaFolder: join(folder, 'media'),
      titlesFolder: join(folder, 'titles'),
      distFolder: undefined,
      paymentOrigins: [origin],
      mediaSecret: Buffer.from('a secret of thirty-two bytes, at least'),
      mediaLifetime: 12 * 60 * 60,
      mediaRightsFreshness: 0,
      passwordCost: 2 ** 10,
      signUpsPerHour: 100_000,
      smsPerCountryDay: 100_000,
      // Tests change stores directly in the database.
      storeFreshness: 0,
      sharedAnswerBytes: DEFAULT_SHARED_ANSWER_BYTES,
      ...options.config,
    },
    payment: options.payment?.(configuredGateway?.port ?? port) ?? configuredGateway?.port ?? port,
    ...(configuredGateway ? { gateway: configuredGateway } : {}),
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    logLevel: 'debug',
    logStream: log,
  });

  /** Calls an operation of the contract and validates its response. */
  const call = async (operationId: string, path: string, parameters: CallParameters = {}) => {
    const query = Object.entries(parameters.query ?? {}).filter(([, value]) => value !== undefined);
    const response = await app.inject({
      method: parameters.method ?? (parameters.body === undefined ? 'GET' : 'POST'),
      url: `/api${path}?${new URLSearchParams(query.map(([key, value]) => [key, String(value)])).toString()}`,
      headers: {
        ...(parameters.body === undefined
          ? {}
          : { 'content-type': typeof parameters.body === 'string' ? 'text/xml' : 'application/json' }),
        ...parameters.headers,
      },
      ...(parameters.body === undefined ? {} : { payload: parameters.body }),
    });
    const contractResponse = {
      statusCode: response.statusCode,
      contentType: String(response.headers['content-type']),
      body: response.body,
    };
    return {
      status: response.statusCode,
      text: response.body,
      headers: response.headers,
      value: await readValidated(operationId, contractResponse),
    };
  };

  let hasDatabase = true;
  return {
    app,
    services,
    pageRenderer,
    db: database.db,
    gateway: { origin, folder: join(folder, 'gateway'), port, secret: SECRET },
    folder,
    log,
    call,
    /** Creates a store, with a new id and a small catalogue by default. @returns its id */
    async store(overrides: Partial<NewStore> = {}): Promise<string> {
      const id = overrides.id ?? `s${randomUUID().slice(0, 8)}`;
      const defaults = makeStore(id);
      // Audio and video are disabled by default.
      const storeProperties = overrides.properties ?? defaults.properties;
      const properties = overrides.titles?.length === 0 ? storeProperties : { ...allKindsEnabled, ...storeProperties };
      await saveStore(database.db, { ...defaults, ...overrides, properties, id });
      return id;
    },
    stopGateway: () => gateway.close(),
    /** Closes the database for good. */
    async loseDatabase() {
      hasDatabase = false;
      // Kysely does not close a pool that was never used.
      await sql`select 1`.execute(database.db);
      await database.db.destroy();
    },
    /** @throws when the ledger is unbalanced or personal data is logged: invariants of all tests */
    async close() {
      await app.close();
      await gateway.close();
      const faults = hasDatabase ? await findLedgerFaults(database.db) : [];
      await database.close();
      await rm(folder, { recursive: true, force: true });
      if (faults.length > 0) throw new Error(`The ledger does not balance:\n${faults.join('\n')}`);
      const leaks = log.findLeaks();
      if (leaks.length > 0) throw new Error(leaks.join('\n'));
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
