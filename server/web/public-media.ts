import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';

// Drawings may hold scripts: opened by themselves they must stay still.
const STILL = "default-src 'none'; style-src 'unsafe-inline'";

const params = {
  type: 'object',
  properties: {
    storeId: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
    titleId: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
    file: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*\\.(jpg|jpeg|png|webp|avif|svg|ico)$' },
  },
};

type File = { Params: { storeId: string; titleId: string; file: string } };

/** Pictures that everyone may see: covers of a store's titles, and the store's own logos. */
export function publicMedia(app: FastifyInstance, { db, config }: Services): void {
  app.get<File>('/media/covers/:storeId/:titleId/:file', { schema: { params } }, async (request, reply) => {
    const { storeId, titleId, file } = request.params;
    const title = await db
      .selectFrom('titles')
      .select('cover')
      .where('store_id', '=', storeId)
      .where('id', '=', titleId)
      .executeTakeFirst();
    const path = [title?.cover?.file, title?.cover?.smallFile].find((each) => each?.split('/').pop() === file);
    if (path === undefined) return reply.callNotFound();
    reply.header('content-security-policy', STILL);
    return reply.sendFile(path, join(config.mediaFolder, titleId));
  });
  app.get<File>('/media/store/:storeId/:file', { schema: { params } }, (request, reply) => {
    const { storeId, file } = request.params;
    reply.header('content-security-policy', STILL);
    return reply.sendFile(file, join(config.mediaFolder, 'store', storeId));
  });
}
