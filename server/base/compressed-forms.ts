import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import { copyToOwnMemory } from './copy-buffer.ts';

const compressByGzip = promisify(gzip);
const compressByBrotli = promisify(brotliCompress);

/** The compressed forms of one body; the Brotli form is set once it is ready. */
export type CompressedForms = { wasRequested?: boolean; gzip?: Promise<Buffer>; brotli?: Buffer };
export type CompressedForm = { encoding: 'br' | 'gzip'; body: Buffer };

/** Bytes of a body that fits into one packet, so that compressing it saves nothing. */
export const ONE_PACKET_BYTES = 1_400;
/**
 * Maximum body size in bytes for Brotli, which takes 100 ms for 100 KB and saves a sixth of gzip.
 */
const MAX_BROTLI_BYTES = 128 * 1024;
const acceptsPattern = (encoding: string): RegExp =>
  new RegExp(String.raw`(?:^|[\s,])${encoding}(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))`, 'i');
const ACCEPTS_GZIP = acceptsPattern('gzip');
const ACCEPTS_BROTLI = acceptsPattern('br');

/** Whether a client takes gzip, by its Accept-Encoding header. */
export const acceptsGzip = (acceptEncoding: string): boolean => ACCEPTS_GZIP.test(acceptEncoding);

/**
 * Brotli compresses one body at a time, so that visitors who wait for a first gzip form do not
 * queue behind it.
 */
let isCompressing = false;

/** Starts Brotli for a body that is requested a second time: most never are. */
function startBrotli(forms: CompressedForms, body: Buffer): void {
  if (isCompressing || forms.brotli || body.length > MAX_BROTLI_BYTES) return;
  isCompressing = true;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  compressByBrotli(body, { params })
    .then((brotli) => (forms.brotli = copyToOwnMemory(brotli)))
    // The body is still sent as gzip.
    .catch(() => undefined)
    .finally(() => (isCompressing = false));
}

/**
 * The form of a body for a client's Accept-Encoding header; null where the body itself is to be
 * sent. Each form is made once and cached in `forms`.
 */
export async function getCompressedForm(
  acceptEncoding: string,
  forms: CompressedForms,
  body: Buffer,
): Promise<CompressedForm | null> {
  const isFirst = forms.wasRequested !== true;
  forms.wasRequested = true;
  if (ACCEPTS_BROTLI.test(acceptEncoding)) {
    if (forms.brotli) return { encoding: 'br', body: forms.brotli };
    if (!isFirst) startBrotli(forms, body);
  }
  if (!acceptsGzip(acceptEncoding)) return null;
  forms.gzip ??= compressByGzip(body).then(copyToOwnMemory);
  return { encoding: 'gzip', body: await forms.gzip };
}

/** Adds Accept-Encoding to the Vary header. */
export function varyByEncoding(reply: FastifyReply): void {
  reply.header('vary', ['Accept-Encoding', reply.getHeader('vary')].filter((name) => name !== undefined).join(', '));
}
