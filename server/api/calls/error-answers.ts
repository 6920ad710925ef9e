import { getHttpStatus as statusOfThrown } from '../../database/unavailable.ts';
import { DomainError, type ErrorKind } from '../../kernel/errors.ts';
import { element, fields, xmlDocument } from '../../base/xml/write.ts';

/**
 * `word` is the Status of the XML document, `code` that of the JSON document where the error has no
 * code of its own.
 */
type ErrorAnswer = { status: number; word: string; code: string };

const ERROR_ANSWERS: Record<ErrorKind, ErrorAnswer> = {
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

/** An unknown store has its own word, by which pages recognise it. */
const getStatusWord = ({ kind, code }: DomainError): string => (code === 'invalid_store' ? 'Invalid' : ERROR_ANSWERS[kind].word);

/** The HTTP status of an error thrown while a request was handled. */
export const getErrorStatus = (error: unknown): number =>
  error instanceof DomainError ? ERROR_ANSWERS[error.kind].status : statusOfThrown(error);

export const toErrorXml = (error: DomainError): string =>
  xmlDocument(
    element('Error', [
      fields({
        StatusCode: getErrorStatus(error),
        Status: getStatusWord(error),
        Code: error.code,
        Message: error.message,
      }),
    ]),
  );

export const toErrorJson = (error: DomainError): string =>
  JSON.stringify({
    error: error.message,
    status: getErrorStatus(error),
    code: error.code ?? ERROR_ANSWERS[error.kind].code,
    ...error.details,
  });
