import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';

/** Bytes below which a disk counts as full: databases stop before it is. */
const ROOM = 64 * 2 ** 20;
/** Milliseconds after which what does not answer is not ready. */
const PATIENCE = 3_000;

const hasRoom = async (folder: string): Promise<boolean> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > ROOM;
};

/** Whether something is well, soon; what fails or does not answer is not. */
const isWell = (check: () => Promise<boolean>): Promise<boolean> => {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE, false).unref());
  return Promise.race([check().catch(() => false), late]);
};

/**
 * `/healthz` says that the process is alive: one that does not answer is to be started again. `/readyz` says whether it
 * can serve customers, and what it lacks: one that cannot is to be left alone until it can.
 */
export function health(app: FastifyInstance, { db, payment, config }: Services): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    const [database, gateway, disk] = await Promise.all([
      isWell(async () => (await db.selectFrom('stores').select('id').limit(1).execute()).length >= 0),
      isWell(() => payment.isUp()),
      isWell(() => hasRoom(config.dataFolder)),
    ]);
    const word = (well: boolean) => (well ? 'ok' : 'failed');
    const ready = database && gateway && disk;
    return reply
      .code(ready ? 200 : 503)
      .send({ status: ready ? 'ok' : 'failed', database: word(database), payment: word(gateway), disk: word(disk) });
  });
}
