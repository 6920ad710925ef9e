import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { inOwnMemory } from './own-memory.ts';

const compress = promisify(gzip);
const compressByBrotli = promisify(brotliCompress);

/** The compressed forms of one body; that of Brotli is there once it has been made. */
export type CompressedForms = { wasRequested?: boolean; gzip?: Promise<Buffer>; brotli?: Buffer };
export type CompressedForm = { encoding: 'br' | 'gzip'; body: Buffer };

/** Bytes that go out in one packet, compressed or not. */
export const ONE_PACKET_BYTES = 1_400;
/**
 * Bytes of the longest body that Brotli compresses: a sixth smaller than gzip, in a tenth of a
 * second for 100 KB.
 */
const MAX_BROTLI_BYTES = 128 * 1024;
const takes = (encoding: string): RegExp => new RegExp(String.raw`(?:^|[\s,])${encoding}(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))`, 'i');
const TAKES_GZIP = takes('gzip');
const TAKES_BROTLI = takes('br');

/** Whether a client takes gzip, by its Accept-Encoding header. */
export const takesGzip = (acceptEncoding: string): boolean => TAKES_GZIP.test(acceptEncoding);

/**
 * Brotli compresses one body at a time, so that visitors who wait for a first compressed form are
 * not queued behind these.
 */
let isCompressing = false;

/** Begins to compress a body by Brotli that is asked for again: most never are. */
function beginBrotli(forms: CompressedForms, body: Buffer): void {
  if (isCompressing || forms.brotli || body.length > MAX_BROTLI_BYTES) return;
  isCompressing = true;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  compressByBrotli(body, { params })
    .then((brotli) => (forms.brotli = inOwnMemory(brotli)))
    // It is sent by gzip, as before.
    .catch(() => undefined)
    .finally(() => (isCompressing = false));
}

/**
 * The form of a body that a client takes by its Accept-Encoding header; null for the body itself.
 * Each form is made once and kept in `forms`.
 */
export async function compressedForm(
  acceptEncoding: string,
  forms: CompressedForms,
  body: Buffer,
): Promise<CompressedForm | null> {
  const isFirst = forms.wasRequested !== true;
  forms.wasRequested = true;
  if (TAKES_BROTLI.test(acceptEncoding)) {
    if (forms.brotli) return { encoding: 'br', body: forms.brotli };
    if (!isFirst) beginBrotli(forms, body);
  }
  if (!takesGzip(acceptEncoding)) return null;
  forms.gzip ??= compress(body).then(inOwnMemory);
  return { encoding: 'gzip', body: await forms.gzip };
}

/** Tells caches that the answer depends on the encodings that a client takes. */
export function varyByEncoding(reply: FastifyReply): void {
  reply.header('vary', ['Accept-Encoding', reply.getHeader('vary')].filter((name) => name !== undefined).join(', '));
}
