import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Drain } from '../base/drain.ts';
import type { Services } from '../services.ts';
import { createImportedMediaCheck } from './imported-media.ts';

/** Free bytes below which a disk counts as full: databases stop even earlier. */
const MIN_FREE_BYTES = 64 * 2 ** 20;
/** Timeout of a check in milliseconds; a check without an answer has failed. */
const CHECK_TIMEOUT_MS = 3_000;
/** Milliseconds for which an answer is cached, so that frequent probes do not hit the database. */
const ANSWER_CACHE_MS = 1_000;

const hasFreeSpace = async (folder: string): Promise<boolean> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > MIN_FREE_BYTES;
};

/** Whether a check succeeds in time; an error or a timeout counts as a failure. */
const isHealthy = (check: () => Promise<boolean>): Promise<boolean> => {
  const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, false).unref());
  return Promise.race([check().catch(() => false), timeout]);
};

type Readiness = { database: boolean; payment: boolean; disk: boolean; media: boolean };

async function checkReadiness({ db, payment, config }: Services, hasImported: () => Promise<boolean>): Promise<Readiness> {
  const [database, gateway, disk, media] = await Promise.all([
    isHealthy(async () => {
      await db.selectFrom('stores').select('id').limit(1).execute();
      return true;
    }),
    isHealthy(() => payment.isUp()),
    isHealthy(() => hasFreeSpace(config.dataFolder)),
    isHealthy(async () => (await hasFreeSpace(config.titlesFolder)) && hasImported()),
  ]);
  return { database, payment: gateway, disk, media };
}

/**
 * `/healthz` reports that the process is alive: without an answer, it should be restarted.
 * `/readyz` reports whether it can serve customers, and which check failed: until it can, it should
 * get no traffic. A process that is about to stop reports `stopping`, and still answers.
 */
export function registerHealthRoutes(app: FastifyInstance, services: Services, drain: Drain): void {
  const hasImported = createImportedMediaCheck(services);
  let lastCheck: { startedAt: number; readiness: Promise<Readiness> } | undefined;
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    const now = performance.now();
    if (lastCheck === undefined || now - lastCheck.startedAt >= ANSWER_CACHE_MS)
      lastCheck = { startedAt: now, readiness: checkReadiness(services, hasImported) };
    const { database, payment, disk, media } = await lastCheck.readiness;
    const toStatus = (isOk: boolean) => (isOk ? 'ok' : 'failed');
    const isReady = database && payment && disk && media && !drain.isDraining;
    return reply.code(isReady ? 200 : 503).send({
      status: drain.isDraining ? 'stopping' : toStatus(isReady),
      database: toStatus(database),
      payment: toStatus(payment),
      disk: toStatus(disk),
      media: toStatus(media),
    });
  });
}
