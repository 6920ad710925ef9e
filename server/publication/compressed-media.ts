import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type CompressedForms, compressedForm, ONE_PACKET_BYTES, takesGzip } from '../base/compressed-forms.ts';

/** A whole file to compress; `state` names it and what it holds at present. */
type Text = { state: string; type: string; size: number; body: Readable | Buffer };
type CompressedText = { encoding: 'br' | 'gzip'; body: Readable | Buffer };

/**
 * Bytes of texts whose compressed forms are kept; the two forms of a text are smaller together than
 * the text itself.
 */
const MAX_KEPT_BYTES = 64 * 2 ** 20;
/**
 * Bytes of a file that is read whole to be compressed; a larger one is compressed while it is sent,
 * again each time.
 */
const MAX_WHOLE_BYTES = 2 * 2 ** 20;

const COMPRESSIBLE =
  /^text\/|\+(?:json|xml)$|^application\/(?:javascript|json|vnd\.ms-opentype|xml|(?:x-)?font-[ot]\w+)$|^font\/(?:otf|sfnt|ttf)$/;

/**
 * Whether a file of the media type shrinks: texts and fonts do; pictures, sounds and films are
 * compressed already.
 */
export const isCompressible = (type: string): boolean => COMPRESSIBLE.test(type.split(';', 1)[0] ?? '');

/**
 * Whether the client gets the file compressed. A part of a file is sent as it is, and so is a file
 * that fits in one packet.
 */
export const isSentCompressed = ({ headers }: FastifyRequest, { type, size }: Pick<Text, 'type' | 'size'>): boolean =>
  isCompressible(type) && size > ONE_PACKET_BYTES && headers.range === undefined && takesGzip(headers['accept-encoding'] ?? '');

/**
 * Compresses the texts of titles, which are the same for all their readers: the lengths reveal
 * nothing of a customer. Each text is compressed once while it is kept.
 */
export class CompressedMedia {
  readonly #kept = new LRUCache<string, CompressedForms>({ maxSize: MAX_KEPT_BYTES });

  /** The form of a text that the client takes; null for the text as it is. */
  async form(request: FastifyRequest, { state, type, size, body }: Text): Promise<CompressedText | null> {
    if (!isSentCompressed(request, { type, size })) return null;
    if (!Buffer.isBuffer(body) && size > MAX_WHOLE_BYTES) {
      const packed = createGzip();
      // An error reaches the answer through `packed`, which it destroys.
      pipeline(body, packed, () => undefined);
      return { encoding: 'gzip', body: packed };
    }
    const whole = Buffer.isBuffer(body) ? body : await buffer(body);
    const forms = this.#kept.get(state) ?? {};
    this.#kept.set(state, forms, { size: whole.length });
    return (await compressedForm(request.headers['accept-encoding'] ?? '', forms, whole)) ?? null;
  }
}
