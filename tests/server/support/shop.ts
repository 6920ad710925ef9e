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
import { readTestGatewayWebhook } from '../../../server/payment/test-gateway-webhook.ts';
import { type NewStore, saveStore } from '../../../server/setup/save-store.ts';
import { readValidated } from './answers.ts';
import { LogLines } from './log-lines.ts';
import { allKindsEnabled, makeStore } from './stores.ts';
import { newTestDatabase } from './test-database.ts';

const SECRET = 'the secret of the tests';
/** Long enough for a response on a busy machine, short enough to wait for a lost one. */
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
   * The gateway's webhooks go to `notifyUrl`, which forwards them to the shop; late ones are
   * delayed by `late` ms.
   */
  webhooks?: { notifyUrl: string; late: number };
};

/**
 * A whole shop in this process: its own database, a gateway on its own port, and a server that is
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
    ...(options.webhooks ? { lateDelayMs: options.webhooks.late } : {}),
  });
  const log = new LogLines();
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  const notifyUrl = () => options.webhooks?.notifyUrl;
  const port = createTestGateway({ origin, secret: SECRET, timeout: PAYMENT_TIMEOUT_MS, notifyUrl });
  const own = options.webhooks && { port, webhooks: { path: '/webhooks/test', read: readTestGatewayWebhook(SECRET) } };
  const other = options.gateway?.(database.db) ?? own;
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
    payment: options.payment?.(other?.port ?? port) ?? other?.port ?? port,
    ...(other ? { gateway: other } : {}),
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    logLevel: 'debug',
    logStream: log,
  });

  /** Calls an operation of the contract and validates its response. */
  const ask = async (operationId: string, path: string, asked: CallParameters = {}) => {
    const query = Object.entries(asked.query ?? {}).filter(([, value]) => value !== undefined);
    const response = await app.inject({
      method: asked.method ?? (asked.body === undefined ? 'GET' : 'POST'),
      url: `/api${path}?${new URLSearchParams(query.map(([key, value]) => [key, String(value)])).toString()}`,
      headers: {
        ...(asked.body === undefined ? {} : { 'content-type': typeof asked.body === 'string' ? 'text/xml' : 'application/json' }),
        ...asked.headers,
      },
      ...(asked.body === undefined ? {} : { payload: asked.body }),
    });
    const answer = {
      statusCode: response.statusCode,
      contentType: String(response.headers['content-type']),
      body: response.body,
    };
    return {
      status: response.statusCode,
      text: response.body,
      headers: response.headers,
      value: await readValidated(operationId, answer),
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
    ask,
    /** A store with a small catalogue and a new id. */
    async store(parts: Partial<NewStore> = {}): Promise<string> {
      const id = parts.id ?? `s${randomUUID().slice(0, 8)}`;
      const usual = makeStore(id);
      // Audio and video are disabled by default.
      const own = parts.properties ?? usual.properties;
      const properties = parts.titles?.length === 0 ? own : { ...allKindsEnabled, ...own };
      await saveStore(database.db, { ...usual, ...parts, properties, id });
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
    /** @throws when the ledger does not balance: an invariant of every test */
    async close() {
      await app.close();
      await gateway.close();
      const faults = hasDatabase ? await findLedgerFaults(database.db) : [];
      await database.close();
      await rm(folder, { recursive: true, force: true });
      if (faults.length > 0) throw new Error(`The ledger does not balance:\n${faults.join('\n')}`);
      const leaks = log.faults();
      if (leaks.length > 0) throw new Error(leaks.join('\n'));
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
