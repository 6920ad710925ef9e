import type { FastifyInstance } from 'fastify';
import { BadText } from '../base/language.ts';
import type { Services } from '../services.ts';
import { isStorableText } from '../base/storable-text.ts';
import { onlyAdministrator } from '../kernel/administrator.ts';
import { saveProperties } from './save-properties.ts';

/** In bytes: terms of service are long, and a logo may be a picture inside its own address. */
const LONGEST = 2 * 1024 * 1024;

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

type Change = { Params: { storeId: string }; Body: unknown };

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
      const { body } = request;
      if (!isObject(body)) return reply.code(400).send({ error: 'Expected a JSON object of properties by their names.' });
      try {
        const isStore = isStorableText(storeId) && (await db.transaction().execute((trx) => saveProperties(trx, storeId, body)));
        if (!isStore) return reply.code(404).send({ error: 'There is no such store.' });
      } catch (error) {
        if (error instanceof BadText) return reply.code(400).send({ error: error.message });
        throw error;
      }
      stores.forget();
      return reply.code(204).send();
    });
  });
}
