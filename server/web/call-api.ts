import type { FastifyRequest } from 'fastify';
import type { RenderResponse } from '../../machines/model/store/server-rendering.ts';

/** Headers of a visitor's request that determine the shop's address. */
const FORWARDED_HEADERS = ['host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded'] as const;

/**
 * Calls this server's own API, at the address that the visitor requested.
 * @throws for a path outside the API
 */
export async function callOwnApi(request: FastifyRequest, path: string, language: string): Promise<RenderResponse> {
  if (!path.startsWith('/api/')) throw new Error(`${path.split('?')[0]} is not a path of the API: it must begin with /api/.`);
  const forwardedHeaders = FORWARDED_HEADERS.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const { statusCode, headers, body } = await request.server.inject({
    method: 'GET',
    url: path,
    headers: { ...Object.fromEntries(forwardedHeaders), 'accept-language': language },
    remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
  });
  return { status: statusCode, type: headers['content-type']?.toString() ?? '', text: body };
}
