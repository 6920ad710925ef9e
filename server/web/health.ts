import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Drain } from '../base/drain.ts';
import type { Services } from '../services.ts';
import { importedMedia } from './imported-media.ts';

/** Bytes below which a disk counts as full: databases stop before it is. */
const LEAST_FREE_BYTES = 64 * 2 ** 20;
/** Milliseconds after which what does not answer is not ready. */
const CHECK_TIMEOUT = 3_000;
/** Milliseconds for which one answer serves everybody: whoever asks, and how often, costs the database little. */
const ANSWER_SHARED = 1_000;

const hasRoom = async (folder: string): Promise<boolean> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > LEAST_FREE_BYTES;
};

/** Whether something is well, soon; what fails or does not answer is not. */
const isWell = (check: () => Promise<boolean>): Promise<boolean> => {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, CHECK_TIMEOUT, false).unref());
  return Promise.race([check().catch(() => false), late]);
};

type Readiness = { database: boolean; payment: boolean; disk: boolean; media: boolean };

async function readinessOf({ db, payment, config }: Services, hasImported: () => Promise<boolean>): Promise<Readiness> {
  const [database, gateway, disk, media] = await Promise.all([
    isWell(async () => {
      await db.selectFrom('stores').select('id').limit(1).execute();
      return true;
    }),
    isWell(() => payment.isUp()),
    isWell(() => hasRoom(config.dataFolder)),
    isWell(async () => (await hasRoom(config.titlesFolder)) && hasImported()),
  ]);
  return { database, payment: gateway, disk, media };
}

/**
 * `/healthz` says that the process is alive: one that does not answer is to be started again.
 * `/readyz` says whether it can serve customers, and what it lacks: one that cannot is to be left
 * alone until it can. One that is about to stop is `stopping`, and still answers.
 */
export function health(app: FastifyInstance, services: Services, drain: Drain): void {
  const hasImported = importedMedia(services);
  let last: { at: number; readiness: Promise<Readiness> } | undefined;
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    const now = performance.now();
    if (last === undefined || now - last.at >= ANSWER_SHARED) last = { at: now, readiness: readinessOf(services, hasImported) };
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
