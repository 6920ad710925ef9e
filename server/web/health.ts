import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Drain } from '../base/drain.ts';
import type { Services } from '../services.ts';
import { importedMedia } from './imported-media.ts';

/** Free bytes below which a disk counts as full: databases stop even earlier. */
const LEAST_FREE_BYTES = 64 * 2 ** 20;
/** Timeout of a check in milliseconds; a check without an answer has failed. */
const CHECK_TIMEOUT_MS = 3_000;
/** Milliseconds for which an answer is cached, so that frequent probes do not hit the database. */
const ANSWER_CACHE_MS = 1_000;

const hasFreeSpace = async (folder: string): Promise<boolean> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > LEAST_FREE_BYTES;
};

/** Whether a check succeeds in time; an error or a timeout counts as a failure. */
const isHealthy = (check: () => Promise<boolean>): Promise<boolean> => {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, CHECK_TIMEOUT_MS, false).unref());
  return Promise.race([check().catch(() => false), late]);
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
 * `/healthz` tells that the process is alive: without an answer, it should be restarted. `/readyz`
 * tells whether it can serve customers, and what is missing: until it can, it should get no
 * traffic. A process that is about to stop reports `stopping`, and still answers.
 */
export function health(app: FastifyInstance, services: Services, drain: Drain): void {
  const hasImported = importedMedia(services);
  let last: { at: number; readiness: Promise<Readiness> } | undefined;
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    const now = performance.now();
    if (last === undefined || now - last.at >= ANSWER_CACHE_MS)
      last = { at: now, readiness: checkReadiness(services, hasImported) };
    const { database, payment, disk, media } = await last.readiness;
    const word = (well: boolean) => (well ? 'ok' : 'failed');
    const ready = database && payment && disk && media && !drain.isDraining;
    return reply.code(ready ? 200 : 503).send({
      status: drain.isDraining ? 'stopping' : word(ready),
      database: word(database),
      payment: word(payment),
      disk: word(disk),
      media: word(media),
    });
  });
}
