import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from '../base/config.ts';
import type { Painter } from './painter.ts';
import { onlyAdministrator } from '../kernel/administrator.ts';

/**
 * `GET /admin/painting`: what became of the first screens that may come painted, since this process was started. Requires the ADMIN_TOKEN
 * that the server was started with; without one, or where nothing is painted, the route does not exist.
 */
export async function paintingRoutes(app: FastifyInstance, { adminToken }: ServerConfig, painter?: Painter): Promise<void> {
  if (adminToken === undefined || painter === undefined) return;
  await app.register(async (admin) => {
    onlyAdministrator(admin, adminToken);
    admin.get('/admin/painting', async () => painter.counts());
  });
}
