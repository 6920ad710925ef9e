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
import { ledgerFaults } from '../../../server/payment/ledger.ts';
import { testGateway } from '../../../server/payment/test-gateway.ts';
import { testGatewayNews } from '../../../server/payment/test-gateway-news.ts';
import { type NewStore, saveStore } from '../../../server/setup/save-store.ts';
import { readAnswer } from './answers.ts';
import { kindsOn, storeOf } from './stores.ts';
import { testDatabase } from './test-database.ts';

const SECRET = 'the secret of the tests';
/** Long enough for an answer on a busy machine, short enough to wait for a lost one. */
const PAYMENT_TIMEOUT = 1500;

export type Asked = {
  query?: Record<string, string | number | boolean | undefined>;
  path?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string | object;
  method?: 'GET' | 'POST';
};

type Options = {
  payment?: (port: PaymentPort) => PaymentPort;
  /** another gateway in place of the built-in one */
  gateway?: (db: Database) => Gateway;
  config?: Partial<ServerConfig>;
  trustedProxies?: TrustedProxies;
  /** the gateway's clock, in milliseconds since 1970 */
  gatewayNow?: () => number;
  /** The gateway tells of payments there, from where it goes on to the shop; late messages come so many milliseconds late. */
  news?: { notifyUrl: string; late: number };
};

/** A whole shop in this process: a database of its own, a gateway on its own port, and the server asked without a socket. */
export async function openShop(options: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-shop-'));
  await mkdir(join(folder, 'titles'));
  const database = await openDatabase(await testDatabase());
  const gateway = createGateway({
    folder: join(folder, 'gateway'),
    secret: SECRET,
    ...(options.gatewayNow ? { now: options.gatewayNow } : {}),
    ...(options.news ? { late: options.news.late } : {}),
  });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  const notifyUrl = () => options.news?.notifyUrl;
  const port = testGateway({ origin, secret: SECRET, timeout: PAYMENT_TIMEOUT, notifyUrl });
  const own = options.news && { port, news: { path: '/webhooks/test', read: testGatewayNews(SECRET) } };
  const other = options.gateway?.(database.db) ?? own;
  const { app, services, painter } = await createServer({
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
      // Tests change stores behind the server's back.
      storeFreshness: 0,
      sharedAnswerBytes: DEFAULT_SHARED_ANSWER_BYTES,
      ...options.config,
    },
    payment: options.payment?.(other?.port ?? port) ?? other?.port ?? port,
    ...(other ? { gateway: other } : {}),
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    logLevel: 'silent',
  });

  /** Asks a call of the contract and reads its answer by it. */
  const ask = async (operationId: string, path: string, asked: Asked = {}) => {
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
      value: await readAnswer(operationId, answer),
    };
  };

  let hasDatabase = true;
  return {
    app,
    services,
    painter,
    db: database.db,
    gateway: { origin, folder: join(folder, 'gateway'), port, secret: SECRET },
    folder,
    ask,
    /** A store with a small catalogue; its id is new. */
    async store(parts: Partial<NewStore> = {}): Promise<string> {
      const id = parts.id ?? `s${randomUUID().slice(0, 8)}`;
      const usual = storeOf(id);
      // Sounds and films are off in a store that does not say otherwise.
      const own = parts.properties ?? usual.properties;
      const properties = parts.titles?.length === 0 ? own : { ...kindsOn, ...own };
      await saveStore(database.db, { ...usual, ...parts, properties, id });
      return id;
    },
    stopGateway: () => gateway.close(),
    /** From now on the database is gone. */
    async loseDatabase() {
      hasDatabase = false;
      // Kysely ends no pool that was never used.
      await sql`select 1`.execute(database.db);
      await database.db.destroy();
    },
    /** @throws where the ledger does not balance: whatever a test has done, it has to */
    async close() {
      await app.close();
      await gateway.close();
      const faults = hasDatabase ? await ledgerFaults(database.db) : [];
      await database.close();
      await rm(folder, { recursive: true, force: true });
      if (faults.length > 0) throw new Error(`The ledger does not balance:\n${faults.join('\n')}`);
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;
