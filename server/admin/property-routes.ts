import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { storeProperties } from '../catalogue/store-properties.ts';
import type { Services } from '../services.ts';
import { asText } from '../setup/save-store.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Any value that a property could be given, bad ones too: what is not of its kind is as good as not set. */
const isValue = (value: unknown): boolean =>
  value === null || Array.isArray(value) || ['boolean', 'number'].includes(typeof value) || isText(value);

const isText = (value: unknown): boolean => typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000');

const fits = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  Object.entries(body).every(([name, value]) => Object.hasOwn(storeProperties, name) && isValue(value));

/** In bytes: terms of service are long, and a logo may be a picture inside its own address. */
const LONGEST = 2 * 1024 * 1024;

type Change = { Params: { storeId: string }; Body: Record<string, unknown> };

/**
 * `PUT /admin/stores/{storeId}/properties`: sets the properties that the JSON object names, and takes back those that are
 * null. Requires the ADMIN_TOKEN that the server was started with; without one the route does not exist.
 */
export async function propertyRoutes(app: FastifyInstance, { db, config, stores }: Services): Promise<void> {
  const { adminToken } = config;
  if (adminToken === undefined) return;
  const known = digest(`Bearer ${adminToken}`);
  const mayChange = (request: FastifyRequest) => timingSafeEqual(digest(request.headers.authorization ?? ''), known);
  await app.register(async (admin) => {
    // Before the body is even read.
    admin.addHook('onRequest', async (request, reply) => {
      if (!mayChange(request)) return reply.code(401).send({ error: 'This needs the administrator’s token.' });
    });
    admin.put<Change>('/admin/stores/:storeId/properties', { bodyLimit: LONGEST }, async (request, reply) => {
      const { storeId } = request.params;
      if (!fits(request.body)) return reply.code(400).send({ error: 'These are no properties of a store.' });
      if (!isText(storeId) || !(await db.selectFrom('stores').select('id').where('id', '=', storeId).executeTakeFirst()))
        return reply.code(404).send({ error: 'There is no such store.' });
      await db.transaction().execute(async (trx) => {
        // Two changes at once take their turns, whatever they change.
        await trx.selectFrom('stores').select('id').where('id', '=', storeId).forUpdate().execute();
        for (const [name, value] of Object.entries(request.body)) {
          await trx.deleteFrom('properties').where('store_id', '=', storeId).where('name', '=', name).execute();
          if (value !== null)
            await trx
              .insertInto('properties')
              .values({ store_id: storeId, name, value: asText(value) })
              .execute();
        }
      });
      stores.forget();
      return reply.code(204).send();
    });
  });
}
