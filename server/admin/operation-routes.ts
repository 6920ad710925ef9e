import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { onlyAdministrator } from '../kernel/administrator.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import type { Given } from './given.ts';
import { operate } from './operations.ts';

type Asked = { Params: { thing: string; verb: string }; Body: unknown };

/** In bytes: a title comes with its description, a store's properties with its terms of service. */
const LONGEST = 2 * 1024 * 1024;

const isGiven = (body: unknown): body is Given => typeof body === 'object' && body !== null && !Array.isArray(body);

/**
 * `POST /admin/operations/{thing}/{verb}`, like `codes/make`: what `npm run store` does, while the shop runs on a database that no
 * other process can open. Requires the ADMIN_TOKEN that the server was started with; without one the route does not exist.
 */
export async function operationRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { adminToken } = services.config;
  if (adminToken === undefined) return;
  await app.register(async (admin) => {
    onlyAdministrator(admin, adminToken);
    admin.post<Asked>('/admin/operations/:thing/:verb', { bodyLimit: LONGEST }, async (request, reply) => {
      const { thing, verb } = request.params;
      if (!isGiven(request.body)) return reply.code(400).send({ error: 'The body must be a JSON object.' });
      try {
        const told = await operate(services, `${thing} ${verb}`, request.body);
        services.stores.forget();
        return told;
      } catch (error) {
        if (error instanceof BadOperation) return reply.code(400).send({ error: error.message });
        throw error;
      }
    });
  });
}
