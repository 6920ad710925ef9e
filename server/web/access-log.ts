import type { FastifyInstance, FastifyRequest } from 'fastify';
import { logWithRequest } from '../base/log.ts';

/** A browser's or load balancer's checks every second would bury everything else. */
const QUIET_ROUTES: ReadonlySet<string> = new Set(['/healthz']);

/** Like `/api/titles/:titleId`: the path itself may hold tokens and codes. */
const parseRoute = ({ routeOptions }: FastifyRequest): string | null => routeOptions.url ?? null;

/**
 * Logs every answered request as `http.request`: method, route, status and milliseconds, but no
 * address, parameter, header or network address. Events of a request's handler carry its id.
 */
export function accessLog(app: FastifyInstance): void {
  // The handler's context starts here: reading a body loses an earlier one.
  app.addHook('preHandler', (request, _reply, done) => logWithRequest(request.id, done));
  app.addHook('onResponse', (request, reply, done) => {
    const route = parseRoute(request);
    const level = route !== null && QUIET_ROUTES.has(route) ? 'debug' : 'info';
    request.log[level](
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'http.request',
    );
    done();
  });
}
