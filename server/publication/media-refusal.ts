import type { FastifyReply, FastifyRequest } from 'fastify';
import { Overload, TaskTimeout } from '../base/limited-threads.ts';
import { BrokenPublication } from './broken-publication.ts';
import { MissingAddition } from './pdf-documents.ts';
import { bookPolicy, mediaHeaders } from './policies.ts';
import { isRefusal, REFUSAL_CACHE_MS } from './refusal.ts';

/** An error answer of a media address. */
export class MediaRefusal extends Error {
  readonly status: number;
  readonly code: string;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter: number | null;

  constructor(status: number, code: string, message: string, retryAfter: number | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Seconds after which a full queue has moved. */
const QUEUE_RETRY_SECONDS = 15;

export const fileMissing = (): MediaRefusal => new MediaRefusal(404, 'not_found', 'This file does not exist.');

/** @param range the Content-Range header, which states the actual size */
export function outOfRange(reply: FastifyReply, range: string): MediaRefusal {
  reply.header('content-range', range);
  return new MediaRefusal(416, 'range_not_satisfiable', 'The requested range is outside the file.');
}

/** Sends the error answer; unexpected errors are logged. */
export function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toRefusal(error);
  if (refusal === null) request.log.error({ err: error }, 'media.read.failed');
  const { status, code, message, retryAfter } = refusal ?? new MediaRefusal(500, 'broken', 'The file could not be read.');
  if (retryAfter !== null) reply.header('retry-after', String(retryAfter));
  void reply
    .code(status)
    // The reader shows a chapter's error answer in its iframe, and reads the reason there.
    .headers({
      ...mediaHeaders,
      'content-security-policy': bookPolicy,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
    .send({ error: message, status, code });
}

/** The refusal for an error; null for an unexpected error. */
function toRefusal(error: unknown): MediaRefusal | null {
  if (error instanceof MediaRefusal) return error;
  if (error instanceof BrokenPublication) return new MediaRefusal(422, error.code, error.message);
  if (error instanceof TaskTimeout) {
    return new MediaRefusal(
      503,
      'busy',
      'This book is taking too long to open. Please try again in a few minutes.',
      REFUSAL_CACHE_MS / 1000,
    );
  }
  if (error instanceof Overload) {
    return new MediaRefusal(503, 'busy', 'Too many books are being opened. Please try again in a moment.', QUEUE_RETRY_SECONDS);
  }
  if (error instanceof MissingAddition) {
    const retryAfter = isRefusal(error.cause) ? REFUSAL_CACHE_MS / 1000 : QUEUE_RETRY_SECONDS;
    return new MediaRefusal(
      503,
      'busy',
      'The end of this document isn’t available right now. Please try again in a moment.',
      retryAfter,
    );
  }
  return null;
}
