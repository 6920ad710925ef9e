import type { FastifyRequest } from 'fastify';

/** A host with other characters could add to a policy. */
const HOST_CHARS = /^[\w.:[\]-]+$/;

/**
 * An address below the media folder, at the requested host, as a source of a content policy. The
 * protocol may come from a proxy's header: any but `https` counts as `http`.
 * @param path below `/media/`, encoded; empty for the whole folder
 * @returns `'none'` where the request names no host, as in HTTP/1.0
 */
export const mediaSource = ({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>, path = ''): string =>
  HOST_CHARS.test(host) ? `${protocol === 'https' ? 'https' : 'http'}://${host}/media/${path}` : "'none'";
