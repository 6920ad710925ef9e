import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { COVER_WIDTHS, widthsOf } from '../catalogue/cover-widths.ts';
import { folderOf } from '../media/folders.ts';
import type { Services } from '../services.ts';
import { COVER_FORMATS, type CoverFormat } from './cover-formats.ts';
import { CoverPictures } from './cover-pictures.ts';

// Drawings may hold scripts: opened by themselves they must stay still.
const STILL = "default-src 'none'; style-src 'unsafe-inline'";

/** An address stays when its picture changes, so a copy is taken for a day, and for some more while it is being compared. */
const CACHED = 'public, max-age=86400, stale-while-revalidate=604800';

const params = {
  type: 'object',
  properties: {
    storeId: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
    titleId: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
    file: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*\\.(jpg|jpeg|png|webp|avif|svg|ico)$' },
  },
};
const querystring = { type: 'object', properties: { width: { type: 'integer', enum: COVER_WIDTHS } } };

type File = { Params: { storeId: string; titleId: string; file: string }; Querystring: { width?: number } };

/** The lightest that the browser names; every one takes JPEG. */
const formatFor = ({ headers: { accept = '' } }: FastifyRequest): CoverFormat =>
  COVER_FORMATS.find((format) => accept.toLowerCase().includes(`image/${format}`)) ?? 'jpeg';

/**
 * Pictures that everyone may see: covers of a store's titles, and the store's own logos. A cover's address alone is the file as
 * its publisher delivered it, for link previews and whoever else takes pictures; with `width` it is the size that is drawn.
 */
export function publicMedia(app: FastifyInstance, { db, config, log }: Services): void {
  const pictures = new CoverPictures(join(config.dataFolder, 'covers'), (err) =>
    log.error({ err }, 'a cover could not be made smaller'),
  );
  app.addHook('onClose', () => pictures.close());
  app.get<File>('/media/covers/:storeId/:titleId/:file', { schema: { params, querystring } }, async (request, reply) => {
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
    const { folder, name } = await folderOf(config, { storeId, titleId }, path);
    reply.headers({ 'content-security-policy': STILL, 'cache-control': CACHED });
    if (width === undefined || path !== cover.file || !widthsOf(cover).includes(width)) return reply.sendFile(path, folder);
    reply.header('vary', 'Accept');
    const made = await pictures.of({ folder, name, file: path, width, format: formatFor(request) });
    if (made !== null) return reply.sendFile(made.file, made.folder);
    // Better heavy than none; and not for a day.
    return reply.header('cache-control', 'no-cache').sendFile(path, folder);
  });
  app.get<File>('/media/store/:storeId/:file', { schema: { params } }, (request, reply) => {
    const { storeId, file } = request.params;
    reply.header('content-security-policy', STILL);
    return reply.sendFile(file, join(config.mediaFolder, 'store', storeId));
  });
}
