import type { FastifyInstance, FastifyRequest } from 'fastify';
import { logWithRequest } from '../base/log.ts';

/** Routes logged at `debug`: checks of load balancers every second would bury all other events. */
const QUIET_ROUTES: ReadonlySet<string> = new Set(['/healthz']);

/** The matched route, like `/api/titles/:titleId`: the path itself may hold tokens and codes. */
const getRoutePattern = ({ routeOptions }: FastifyRequest): string | null => routeOptions.url ?? null;

/**
 * Logs every answered request as `http.request`: method, route, status and milliseconds, but no
 * address, parameter, header or network address. Events of a request's handler carry its id.
 */
export function logRequests(app: FastifyInstance): void {
  // The handler's context starts here: reading a body loses an earlier context.
  app.addHook('preHandler', (request, _reply, done) => logWithRequest(request.id, done));
  app.addHook('onResponse', (request, reply, done) => {
    const route = getRoutePattern(request);
    const level = route !== null && QUIET_ROUTES.has(route) ? 'debug' : 'info';
    request.log[level](
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'http.request',
    );
    done();
  });
}
