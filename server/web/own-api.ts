import type { FastifyRequest } from 'fastify';
import type { PaintAnswer } from '../../machines/model/store/painting.ts';

/** Headers of a visitor's request that say at which address the shop is. */
const PASSED_ON = ['host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded'] as const;

/**
 * What this server's own API says to a call, at the address that the visitor asked.
 * @throws for a path that is none of the API's
 */
export async function askOwnApi(request: FastifyRequest, path: string, language: string): Promise<PaintAnswer> {
  if (!path.startsWith('/api/')) throw new Error('This is no call of the API.');
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = request.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const { statusCode, headers, body } = await request.server.inject({
    method: 'GET',
    url: path,
    headers: { ...Object.fromEntries(passedOn), 'accept-language': language },
    remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
  });
  return { status: statusCode, type: headers['content-type']?.toString() ?? '', text: body };
}
