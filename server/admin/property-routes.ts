import type { FastifyInstance } from 'fastify';
import { BadText } from '../base/language.ts';
import type { Services } from '../services.ts';
import { isStorableText } from '../base/storable-text.ts';
import { requireAdministrator } from '../kernel/administrator.ts';
import { saveProperties } from './save-properties.ts';

/** Maximum bytes of a request: terms of service are long, and a logo may be a data URL. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

type Change = { Params: { storeId: string }; Body: unknown };

/**
 * `PUT /admin/stores/{storeId}/properties`: sets the properties in the JSON object, with texts as a
 * string or as an object of strings by language, and resets those that are null. Requires the
 * ADMIN_TOKEN that the server was started with; without one the route does not exist.
 */
export async function propertyRoutes(app: FastifyInstance, { db, config, stores }: Services): Promise<void> {
  const { adminToken } = config;
  if (adminToken === undefined) return;
  await app.register(async (admin) => {
    requireAdministrator(admin, adminToken);
    admin.put<Change>('/admin/stores/:storeId/properties', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const { storeId } = request.params;
      const { body } = request;
      if (!isObject(body)) return reply.code(400).send({ error: 'The body must be a JSON object with properties by name.' });
      try {
        const isStore = isStorableText(storeId) && (await db.transaction().execute((trx) => saveProperties(trx, storeId, body)));
        if (!isStore) return reply.code(404).send({ error: `There is no store "${storeId.slice(0, 80)}".` });
      } catch (error) {
        if (error instanceof BadText) return reply.code(400).send({ error: error.message });
        throw error;
      }
      stores.clearCache();
      return reply.code(204).send();
    });
  });
}
