import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { varyByEncoding } from '../base/compressed-forms.ts';
import { type CompressedMedia, isCompressible, acceptsCompressed } from './compressed-media.ts';
import { fileMissing, outOfRange } from './media-refusal.ts';
import { bookPolicy } from './policies.ts';
import type { Resource, Unsatisfiable } from './resource.ts';

export type ResourceResult = Resource | Unsatisfiable | null;

/**
 * How to send a resource; `source` is its cache key among all files, and `policy` its content
 * policy.
 */
export type SendOptions = { compressed: CompressedMedia; source: string; policy?: string };

/**
 * Seconds for which a browser shows a cached file without revalidation: part of the time for which
 * a title stays open after the right has ended.
 */
const BROWSER_CACHE_SECONDS = 20;

/** Adds the headers of every successful answer below a media token, and of 304. */
export function addMediaHeaders(reply: FastifyReply, type: string, policy = bookPolicy): void {
  reply.headers({
    'content-security-policy': policy,
    'cache-control': `private, max-age=${BROWSER_CACHE_SECONDS}`,
    'accept-ranges': 'bytes',
  });
  if (isCompressible(type)) varyByEncoding(reply);
}

/**
 * Whether the client has a copy with this tag. Compressed or not, a copy has the same content: the
 * comparison is weak (RFC 9110, 13.1.2).
 */
function hasCopy({ headers }: FastifyRequest, etag: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/**
 * Sends a resource, or 304 to a client that has it.
 * @throws MediaRefusal 404, 416
 */
export async function sendResource(
  request: FastifyRequest,
  reply: FastifyReply,
  resource: ResourceResult,
  { compressed, source, policy }: SendOptions,
): Promise<FastifyReply> {
  if (resource === null) throw fileMissing();
  if ('unsatisfiable' in resource) throw outOfRange(reply, `bytes */${resource.size}`);
  const { type, etag, size, range, body } = resource;
  // The bytes differ by encoding: with a weak tag, clients do not request ranges to complete their
  // copy.
  const tag = acceptsCompressed(request, resource) ? `W/${etag}` : etag;
  if (hasCopy(request, etag)) {
    discard(body);
    addMediaHeaders(reply, type, policy);
    return reply.code(304).header('etag', tag).send();
  }
  const form = await compressed.getForm(request, { state: `${source}\0${etag}`, type, size, body });
  addMediaHeaders(reply, type, policy);
  reply.header('etag', tag).type(type);
  if (form !== null) return sendCompressed(reply, form);
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${size}`);
  reply.header('content-length', range === null ? size : range.end - range.start);
  return reply.send(body);
}

/** Sends a compressed file; its length is known where it was compressed as a whole. */
export function sendCompressed(
  reply: FastifyReply,
  { encoding, body }: { encoding: string; body: Readable | Buffer },
): FastifyReply {
  if (Buffer.isBuffer(body)) reply.header('content-length', body.length);
  return reply.header('content-encoding', encoding).send(body);
}

/** Frees the resources of a body that is not sent. */
export function discard(body: Readable | Buffer): void {
  if (!Buffer.isBuffer(body)) body.destroy();
}
