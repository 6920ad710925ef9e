import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { onlyAdministrator } from '../kernel/administrator.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { isId } from '../base/ids.ts';
import { statusOf } from '../api/calls/error-answers.ts';
import { AWAY_RETRY_SECONDS } from '../database/away.ts';
import type { Services } from '../services.ts';
import { importedFile, type ImportedFile } from '../importing/imported-title.ts';
import { DiskFull, PIECE, TitleFiles, WrongPlace } from '../importing/title-files.ts';

type Asked = { Params: { storeId: string; titleId: string; name: string }; Querystring: { size?: string; at?: string } };

const numberIn = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : Number.NaN);

function fileOf(name: string, size: string | undefined): ImportedFile {
  const read = v.safeParse(importedFile, { name, size: numberIn(size) });
  if (!read.success) throw new BadOperation('This is no file of a title, or it has no size.');
  return read.output;
}

/**
 * Takes the files of titles that are imported: `GET /admin/stores/{storeId}/titles/{titleId}/files/{name}?size=N` says how many
 * bytes of one there are, `PUT …?size=N&at=M` adds a piece of at most 4 MiB behind the first M bytes; each answers `{"have": …}`,
 * the second 409 with it where M is another number. Requires the ADMIN_TOKEN that the server was started with.
 */
export async function uploadRoutes(app: FastifyInstance, { db, config }: Services): Promise<void> {
  const { adminToken } = config;
  if (adminToken === undefined) return;
  const files = new TitleFiles(config.titlesFolder);
  await app.register(async (admin) => {
    onlyAdministrator(admin, adminToken);
    admin.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit: PIECE }, (_, body, done) =>
      done(null, body),
    );
    admin.setErrorHandler((error, request, reply) => {
      if (error instanceof WrongPlace) return reply.code(409).send({ have: error.have });
      if (error instanceof DiskFull) return reply.code(507).send({ error: error.message });
      if (error instanceof BadOperation) return reply.code(400).send({ error: error.message });
      const status = statusOf(error);
      if (status >= 500) request.log.error(error);
      if (status === 503)
        return reply.code(503).header('retry-after', AWAY_RETRY_SECONDS).send({ error: 'The database cannot be reached.' });
      return reply
        .code(status)
        .send({ error: status === 413 ? `A piece has ${PIECE} bytes at most.` : 'This request isn’t valid.' });
    });
    const titleOf = async ({ storeId, titleId }: Asked['Params']) => {
      const store = isId(storeId) && (await db.selectFrom('stores').select('id').where('id', '=', storeId).executeTakeFirst());
      if (!store) throw new BadOperation(`There is no store "${storeId.slice(0, 80)}".`);
      if (!isId(titleId)) throw new BadOperation('This is no id of a title.');
      return { storeId, titleId };
    };
    const path = '/admin/stores/:storeId/titles/:titleId/files/:name';
    admin.get<Asked>(path, async ({ params, query }) => ({
      have: await files.have(await titleOf(params), fileOf(params.name, query.size)),
    }));
    admin.put<Asked & { Body: Buffer }>(path, { bodyLimit: PIECE }, async ({ params, query, body }) => {
      const at = numberIn(query.at);
      if (Number.isNaN(at) || !Buffer.isBuffer(body)) throw new BadOperation('A piece needs its place, and its bytes.');
      return { have: await files.add(await titleOf(params), fileOf(params.name, query.size), at, body) };
    });
  });
}
