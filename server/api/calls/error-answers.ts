import { statusOf as statusOfThrown } from '../../database/away.ts';
import { DomainError, type ErrorKind } from '../../kernel/errors.ts';
import { element, fields, xmlDocument } from '../../base/xml/write.ts';

/**
 * `word` is the Status of the XML document, `code` the JSON document's where an error has none of
 * its own.
 */
type AnswerOf = { status: number; word: string; code: string };

const ANSWERS: Record<ErrorKind, AnswerOf> = {
  bad_request: { status: 400, word: 'BadRequest', code: 'bad_request' },
  unauthorized: { status: 401, word: 'Unauthorized', code: 'unauthorized' },
  payment_failed: { status: 402, word: 'PaymentRequired', code: 'payment_failed' },
  forbidden: { status: 403, word: 'Forbidden', code: 'forbidden' },
  not_found: { status: 404, word: 'NotFound', code: 'not_found' },
  conflict: { status: 409, word: 'Conflict', code: 'conflict' },
  too_large: { status: 413, word: 'BadRequest', code: 'bad_request' },
  unsupported_type: { status: 415, word: 'BadRequest', code: 'bad_request' },
  key_reused: { status: 422, word: 'Conflict', code: 'key_reused' },
  too_many_requests: { status: 429, word: 'TooManyRequests', code: 'too_many_requests' },
  internal: { status: 500, word: 'InternalServerError', code: 'internal' },
  not_implemented: { status: 501, word: 'NotImplemented', code: 'not_implemented' },
  payment_unknown: { status: 502, word: 'BadGateway', code: 'payment_unknown' },
  unavailable: { status: 503, word: 'ServiceUnavailable', code: 'unavailable' },
};

/** A word of its own for the store that is not there: pages tell by it that they have no store. */
const wordOf = ({ kind, code }: DomainError): string => (code === 'invalid_store' ? 'Invalid' : ANSWERS[kind].word);

/** The HTTP status of what was thrown while a request was handled. */
export const statusOf = (error: unknown): number =>
  error instanceof DomainError ? ANSWERS[error.kind].status : statusOfThrown(error);

export const toXml = (error: DomainError): string =>
  xmlDocument(
    element('Error', [
      fields({
        StatusCode: statusOf(error),
        Status: wordOf(error),
        Code: error.code,
        Message: error.message,
      }),
    ]),
  );

export const toJson = (error: DomainError): string =>
  JSON.stringify({
    error: error.message,
    status: statusOf(error),
    code: error.code ?? ANSWERS[error.kind].code,
    ...error.details,
  });
