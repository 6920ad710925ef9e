import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { requireAdministrator } from '../kernel/administrator.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { isId } from '../base/ids.ts';
import { getErrorStatus } from '../api/calls/error-answers.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '../database/unavailable.ts';
import type { Services } from '../services.ts';
import { importedFileSchema, type ImportedFile } from '../importing/imported-title.ts';
import { DiskFull, CHUNK_BYTES, TitleFiles, WrongOffset } from '../importing/title-files.ts';

type UploadRequest = { Params: { storeId: string; titleId: string; name: string }; Querystring: { size?: string; at?: string } };

const parseCount = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : Number.NaN);

function toImportedFile(name: string, size: string | undefined): ImportedFile {
  const parsed = v.safeParse(importedFileSchema, { name, size: parseCount(size) });
  if (!parsed.success)
    throw new BadOperation(`Expected the name of a title's file with ?size= in bytes, not "${name}" with "${size ?? ''}".`);
  return parsed.output;
}

/**
 * Uploads the files of imported titles. `GET
 * /admin/stores/{storeId}/titles/{titleId}/files/{name}?size=N` returns how many bytes the server
 * has; `PUT …?size=N&at=M` appends a piece of at most 4 MiB after the first M bytes. Both answer
 * `{"have": …}`, PUT with 409 where the server has another number of bytes than M. Requires the
 * ADMIN_TOKEN that the server was started with.
 */
export async function uploadRoutes(app: FastifyInstance, { db, config }: Services): Promise<void> {
  const { adminToken } = config;
  if (adminToken === undefined) return;
  const files = new TitleFiles(config.titlesFolder);
  await app.register(async (admin) => {
    requireAdministrator(admin, adminToken);
    admin.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit: CHUNK_BYTES }, (_, body, done) =>
      done(null, body),
    );
    admin.setErrorHandler((error, request, reply) => {
      if (error instanceof WrongOffset) return reply.code(409).send({ have: error.have });
      if (error instanceof DiskFull) return reply.code(507).send({ error: error.message });
      if (error instanceof BadOperation) return reply.code(400).send({ error: error.message });
      const status = getErrorStatus(error);
      const { storeId: store, titleId: title, name: file } = request.params as UploadRequest['Params'];
      if (status >= 500) request.log.error({ err: error, store, title, file }, 'title.upload.failed');
      if (status === 503)
        return reply
          .code(503)
          .header('retry-after', UNAVAILABLE_RETRY_SECONDS)
          .send({ error: 'The database cannot be reached.' });
      return reply
        .code(status)
        .send({ error: status === 413 ? `A piece has at most ${CHUNK_BYTES} bytes.` : 'Invalid request.' });
    });
    const resolveTitle = async ({ storeId, titleId }: UploadRequest['Params']) => {
      const store = isId(storeId) && (await db.selectFrom('stores').select('id').where('id', '=', storeId).executeTakeFirst());
      if (!store) throw new BadOperation(`There is no store "${String(storeId).slice(0, 80)}".`);
      if (!isId(titleId))
        throw new BadOperation(
          `"${String(titleId).slice(0, 80)}" is not an id of a title: expected up to 64 of A-Z a-z 0-9 . _ -`,
        );
      return { storeId, titleId };
    };
    const path = '/admin/stores/:storeId/titles/:titleId/files/:name';
    admin.get<UploadRequest>(path, async ({ params, query }) => ({
      have: await files.have(await resolveTitle(params), toImportedFile(params.name, query.size)),
    }));
    admin.put<UploadRequest & { Body: Buffer }>(path, { bodyLimit: CHUNK_BYTES }, async ({ params, query, body }) => {
      const offset = parseCount(query.at);
      if (Number.isNaN(offset) || !Buffer.isBuffer(body))
        throw new BadOperation(
          'A piece must have its offset in bytes as ?at=, and its bytes as an application/octet-stream body.',
        );
      return { have: await files.add(await resolveTitle(params), toImportedFile(params.name, query.size), offset, body) };
    });
  });
}
