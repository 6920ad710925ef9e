import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type CompressedForms, getCompressedForm, ONE_PACKET_BYTES, acceptsGzip } from '../base/compressed-forms.ts';

/** A whole file to compress; `state` is the cache key of the file and its present content. */
type CompressibleFile = { state: string; type: string; size: number; body: Readable | Buffer };
type CompressedText = { encoding: 'br' | 'gzip'; body: Readable | Buffer };

/**
 * Cache size in bytes of the texts; the two compressed forms of a text together are smaller than
 * the text itself.
 */
const MAX_CACHE_BYTES = 64 * 2 ** 20;
/**
 * Maximum bytes of a file that is read whole to be compressed; a larger file is compressed while it
 * is streamed, each time.
 */
const MAX_WHOLE_BYTES = 2 * 2 ** 20;

const COMPRESSIBLE =
  /^text\/|\+(?:json|xml)$|^application\/(?:javascript|json|vnd\.ms-opentype|xml|(?:x-)?font-[ot]\w+)$|^font\/(?:otf|sfnt|ttf)$/;

/**
 * Whether files of the media type benefit from compression: texts and fonts do; pictures, audio and
 * video are compressed already.
 */
export const isCompressible = (type: string): boolean => COMPRESSIBLE.test(type.split(';', 1)[0] ?? '');

/**
 * Whether the client gets the file compressed. Ranges are sent uncompressed, and so are files that
 * fit in one packet.
 */
export const acceptsCompressed = (
  { headers }: FastifyRequest,
  { type, size }: Pick<CompressibleFile, 'type' | 'size'>,
): boolean =>
  isCompressible(type) && size > ONE_PACKET_BYTES && headers.range === undefined && acceptsGzip(headers['accept-encoding'] ?? '');

/**
 * Compresses the texts of titles, which are the same for all their readers, so that their lengths
 * reveal nothing about a customer. Each text is compressed once while it is cached.
 */
export class CompressedMedia {
  readonly #cachedForms = new LRUCache<string, CompressedForms>({ maxSize: MAX_CACHE_BYTES });

  /** The form of a text for the client; null for the uncompressed text. */
  async getForm(request: FastifyRequest, { state, type, size, body }: CompressibleFile): Promise<CompressedText | null> {
    if (!acceptsCompressed(request, { type, size })) return null;
    if (!Buffer.isBuffer(body) && size > MAX_WHOLE_BYTES) {
      const compressed = createGzip();
      // Errors reach the answer through `compressed`, which pipeline destroys.
      pipeline(body, compressed, () => undefined);
      return { encoding: 'gzip', body: compressed };
    }
    const content = Buffer.isBuffer(body) ? body : await buffer(body);
    const forms = this.#cachedForms.get(state) ?? {};
    this.#cachedForms.set(state, forms, { size: content.length });
    return (await getCompressedForm(request.headers['accept-encoding'] ?? '', forms, content)) ?? null;
  }
}
