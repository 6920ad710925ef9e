import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { COVER_WIDTHS, getCoverWidths } from '../catalogue/cover-widths.ts';
import { findFolder } from '../media/folders.ts';
import type { Services } from '../services.ts';
import { COVER_FORMATS, type CoverFormat } from './cover-formats.ts';
import { CoverPictures } from './cover-pictures.ts';

// An SVG may contain scripts, which must not run when it is opened directly.
const INERT_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * The URL stays when the picture changes, so the picture is cached for a day, and shown stale for
 * up to a week more while it is revalidated.
 */
const COVER_CACHE_CONTROL = 'public, max-age=86400, stale-while-revalidate=604800';

const paramsSchema = {
  type: 'object',
  properties: {
    storeId: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
    titleId: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
    file: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*\\.(jpg|jpeg|png|webp|avif|svg|ico)$' },
  },
};
const querystringSchema = { type: 'object', properties: { width: { type: 'integer', enum: COVER_WIDTHS } } };

type PictureRequest = { Params: { storeId: string; titleId: string; file: string }; Querystring: { width?: number } };

/** The smallest format that the browser accepts; all accept JPEG. */
const chooseFormat = ({ headers: { accept = '' } }: FastifyRequest): CoverFormat =>
  COVER_FORMATS.find((format) => accept.toLowerCase().includes(`image/${format}`)) ?? 'jpeg';

/**
 * Public pictures: covers of a store's titles, and the store's own logos. A cover's address without
 * `width` is the publisher's original file, for link previews and other clients; with `width` it is
 * resized.
 */
export function registerPublicMedia(app: FastifyInstance, { db, config, log }: Services): void {
  const pictures = new CoverPictures(join(config.dataFolder, 'covers'), log);
  app.addHook('onClose', () => pictures.close());
  app.get<PictureRequest>(
    '/media/covers/:storeId/:titleId/:file',
    { schema: { params: paramsSchema, querystring: querystringSchema } },
    async (request, reply) => {
      const { storeId, titleId, file } = request.params;
      const { width } = request.query;
      const title = await db
        .selectFrom('titles')
        .select('cover')
        .where('store_id', '=', storeId)
        .where('id', '=', titleId)
        .executeTakeFirst();
      const cover = title?.cover;
      const path = [cover?.file, cover?.smallFile].find((each) => each?.split('/').pop() === file);
      if (!cover || path === undefined) return reply.callNotFound();
      const { folder, name } = await findFolder(config, { storeId, titleId }, path);
      reply.headers({ 'content-security-policy': INERT_POLICY, 'cache-control': COVER_CACHE_CONTROL });
      if (width === undefined || path !== cover.file || !getCoverWidths(cover).includes(width))
        return reply.sendFile(path, folder);
      reply.header('vary', 'Accept');
      const logFields = { store: storeId, title: titleId, file: path, width };
      const resized = await pictures.getOrMake({ folder, name, file: path, width, format: chooseFormat(request), logFields });
      if (resized !== null) return reply.sendFile(resized.file, resized.folder);
      // The original file is sent in place of a failed size, but is not cached for a day.
      return reply.header('cache-control', 'no-cache').sendFile(path, folder);
    },
  );
  app.get<PictureRequest>('/media/store/:storeId/:file', { schema: { params: paramsSchema } }, (request, reply) => {
    const { storeId, file } = request.params;
    reply.header('content-security-policy', INERT_POLICY);
    return reply.sendFile(file, join(config.mediaFolder, 'store', storeId));
  });
}
