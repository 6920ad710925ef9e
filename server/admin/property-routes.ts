import type { FastifyInstance } from 'fastify';
import { storeProperties } from '../catalogue/store-properties.ts';
import type { Services } from '../services.ts';
import { BadText, isByLanguage, type LanguageCode } from '../language.ts';
import { propertyRow } from '../setup/save-store.ts';
import { onlyAdministrator } from './administrator.ts';

/** Any value that a property could be given, bad ones too: what is not of its kind is as good as not set; texts by language are looked at. */
const isValue = (value: unknown): boolean =>
  value === null || Array.isArray(value) || isByLanguage(value) || ['boolean', 'number'].includes(typeof value) || isText(value);

const isText = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000');

const fits = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  Object.entries(body).every(([name, value]) => Object.hasOwn(storeProperties, name) && isValue(value));

/** In bytes: terms of service are long, and a logo may be a picture inside its own address. */
const LONGEST = 2 * 1024 * 1024;

type Row = ReturnType<typeof propertyRow>;

/** @returns what is kept of properties that were given, or the reason why one of them cannot be taken */
function rowsOf(storeId: string, given: Record<string, unknown>, main: LanguageCode): Row[] | string {
  try {
    return Object.entries(given)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => propertyRow(storeId, name, value, main));
  } catch (error) {
    if (error instanceof BadText) return error.message;
    throw error;
  }
}

type Change = { Params: { storeId: string }; Body: Record<string, unknown> };

/**
 * `PUT /admin/stores/{storeId}/properties`: sets the properties that the JSON object names, words as one text or as an object
 * of texts by language, and takes back those that are null. Requires the ADMIN_TOKEN that the server was started with; without one the route does not exist.
 */
export async function propertyRoutes(app: FastifyInstance, { db, config, stores }: Services): Promise<void> {
  const { adminToken } = config;
  if (adminToken === undefined) return;
  await app.register(async (admin) => {
    onlyAdministrator(admin, adminToken);
    admin.put<Change>('/admin/stores/:storeId/properties', { bodyLimit: LONGEST }, async (request, reply) => {
      const { storeId } = request.params;
      if (!fits(request.body)) return reply.code(400).send({ error: 'These are no properties of a store.' });
      const store = isText(storeId)
        ? await db.selectFrom('stores').select('language').where('id', '=', storeId).executeTakeFirst()
        : undefined;
      if (!store) return reply.code(404).send({ error: 'There is no such store.' });
      const rows = rowsOf(storeId, request.body, store.language);
      if (typeof rows === 'string') return reply.code(400).send({ error: rows });
      await db.transaction().execute(async (trx) => {
        // Two changes at once take their turns, whatever they change.
        await trx.selectFrom('stores').select('id').where('id', '=', storeId).forUpdate().execute();
        for (const name of Object.keys(request.body))
          await trx.deleteFrom('properties').where('store_id', '=', storeId).where('name', '=', name).execute();
        if (rows.length > 0) await trx.insertInto('properties').values(rows).execute();
      });
      stores.forget();
      return reply.code(204).send();
    });
  });
}
