import type { FastifyRequest } from 'fastify';

/** Other characters in a host could add to the policy. */
const HOST_CHARS = /^[\w.:[\]-]+$/;

/**
 * A URL below the media folder at the requested host, as a source of a content policy. The protocol
 * may come from a proxy's header: all but `https` count as `http`.
 * @param path below `/media/`, encoded; empty for the whole folder
 * @returns `'none'` where the request names no host, as in HTTP/1.0
 */
export const toPolicySource = ({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>, path = ''): string =>
  HOST_CHARS.test(host) ? `${protocol === 'https' ? 'https' : 'http'}://${host}/media/${path}` : "'none'";
