import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { requireAdministrator } from '../kernel/administrator.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import type { OperationInput } from './operation-input.ts';
import { runOperation } from './operations.ts';

type OperationRequest = { Params: { resource: string; action: string }; Body: unknown };

/**
 * Maximum bytes of a request: a title includes its description, a store's properties its terms of
 * service.
 */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

const isOperationInput = (body: unknown): body is OperationInput =>
  typeof body === 'object' && body !== null && !Array.isArray(body);

/**
 * `POST /admin/operations/{resource}/{action}`, like `codes/make`: runs the commands of `npm run
 * store` in a running shop, whose embedded database no other process can open. Requires the
 * ADMIN_TOKEN that the server was started with; without one the route does not exist.
 */
export async function operationRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { adminToken } = services.config;
  if (adminToken === undefined) return;
  await app.register(async (admin) => {
    requireAdministrator(admin, adminToken);
    admin.post<OperationRequest>('/admin/operations/:resource/:action', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const { resource, action } = request.params;
      if (!isOperationInput(request.body)) return reply.code(400).send({ error: 'The body must be a JSON object.' });
      try {
        const result = await runOperation(services, `${resource} ${action}`, request.body);
        services.stores.clearCache();
        return result;
      } catch (error) {
        if (error instanceof BadOperation) return reply.code(400).send({ error: error.message });
        throw error;
      }
    });
  });
}
