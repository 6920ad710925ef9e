import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Requires the ADMIN_TOKEN as bearer token on all routes of this scope. */
export function requireAdministrator(admin: FastifyInstance, adminToken: string): void {
  const expectedDigest = digest(`Bearer ${adminToken}`);
  // The hook runs before the body is read.
  admin.addHook('onRequest', async (request, reply) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ''), expectedDigest)) return undefined;
    return reply.code(401).send({ error: 'This call requires the administrator token (ADMIN_TOKEN) as bearer token.' });
  });
}
