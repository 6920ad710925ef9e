import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../base/config.ts';
import type { PageRenderer } from './page-renderer.ts';
import { requireAdministrator } from '../kernel/administrator.ts';

/**
 * `GET /admin/ssr`: the outcomes of server rendering since this process was started. Requires
 * the ADMIN_TOKEN that the server was started with; without one, or with rendering off, the route
 * does not exist.
 */
export async function ssrRoutes(app: FastifyInstance, { adminToken }: ServerConfig, pageRenderer?: PageRenderer): Promise<void> {
  if (adminToken === undefined || pageRenderer === undefined) return;
  await app.register(async (admin) => {
    requireAdministrator(admin, adminToken);
    admin.get('/admin/ssr', async () => pageRenderer.counts());
  });
}
