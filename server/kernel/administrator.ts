import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Lets nobody but the bearer of the ADMIN_TOKEN ask the routes of this part of the server. */
export function onlyAdministrator(admin: FastifyInstance, adminToken: string): void {
  const known = digest(`Bearer ${adminToken}`);
  // Before the body is even read.
  admin.addHook('onRequest', async (request, reply) => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ''), known)) return undefined;
    return reply.code(401).send({ error: 'This needs the administrator’s token.' });
  });
}
