import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { varyByEncoding } from '../base/compressed-forms.ts';
import { type CompressedMedia, isCompressible, isSentCompressed } from './compressed-media.ts';
import { missing, outOfRange } from './media-refusal.ts';
import { bookPolicy } from './policies.ts';
import type { Resource, Unsatisfiable } from './resource.ts';

export type Found = Resource | Unsatisfiable | null;

/**
 * How a resource is sent; `source` names its file among all files, and `policy` is its content
 * policy.
 */
export type Sending = { compressed: CompressedMedia; source: string; policy?: string };

/**
 * Seconds for which a browser shows a file again without asking: a part of how long a right that
 * has ended still opens a title.
 */
const BROWSER_CACHE_SECONDS = 20;

/** On every good answer below a media token, and on 304. */
export function addMediaHeaders(reply: FastifyReply, type: string, policy = bookPolicy): void {
  reply.headers({
    'content-security-policy': policy,
    'cache-control': `private, max-age=${BROWSER_CACHE_SECONDS}`,
    'accept-ranges': 'bytes',
  });
  if (isCompressible(type)) varyByEncoding(reply);
}

/**
 * Whether the client names the tag among those of its copies. Compressed or not, a copy holds the
 * same content: the comparison is weak (RFC 9110, 13.1.2).
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
  found: Found,
  { compressed, source, policy }: Sending,
): Promise<FastifyReply> {
  if (found === null) throw missing();
  if ('unsatisfiable' in found) throw outOfRange(reply, `bytes */${found.size}`);
  const { type, etag, size, range, body } = found;
  // The bytes differ by encoding: by a weak tag, no client asks for a part to add to its copy.
  const tag = isSentCompressed(request, found) ? `W/${etag}` : etag;
  if (hasCopy(request, etag)) {
    discard(body);
    addMediaHeaders(reply, type, policy);
    return reply.code(304).header('etag', tag).send();
  }
  const form = await compressed.form(request, { state: `${source}\0${etag}`, type, size, body });
  addMediaHeaders(reply, type, policy);
  reply.header('etag', tag).type(type);
  if (form !== null) return sendForm(reply, form);
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${size}`);
  reply.header('content-length', range === null ? size : range.end - range.start);
  return reply.send(body);
}

/** Sends a compressed file; its length is known where it was compressed as a whole. */
export function sendForm(reply: FastifyReply, { encoding, body }: { encoding: string; body: Readable | Buffer }): FastifyReply {
  if (Buffer.isBuffer(body)) reply.header('content-length', body.length);
  return reply.header('content-encoding', encoding).send(body);
}

/** Frees what a body that is not sent holds. */
export function discard(body: Readable | Buffer): void {
  if (!Buffer.isBuffer(body)) body.destroy();
}
