import { getHttpStatus as getThrownStatus } from '../../database/unavailable.ts';
import { DomainError, type ErrorKind } from '../../kernel/errors.ts';
import { renderElement, renderFields, renderDocument } from '../../base/xml/write.ts';

/**
 * The response to a kind of error: `statusWord` is the Status of the XML document, `code` the code
 * of the JSON document if the error has none.
 */
type ErrorAnswer = { status: number; statusWord: string; code: string };

const ERROR_ANSWERS: Record<ErrorKind, ErrorAnswer> = {
  bad_request: { status: 400, statusWord: 'BadRequest', code: 'bad_request' },
  unauthorized: { status: 401, statusWord: 'Unauthorized', code: 'unauthorized' },
  payment_failed: { status: 402, statusWord: 'PaymentRequired', code: 'payment_failed' },
  forbidden: { status: 403, statusWord: 'Forbidden', code: 'forbidden' },
  not_found: { status: 404, statusWord: 'NotFound', code: 'not_found' },
  conflict: { status: 409, statusWord: 'Conflict', code: 'conflict' },
  too_large: { status: 413, statusWord: 'BadRequest', code: 'bad_request' },
  unsupported_type: { status: 415, statusWord: 'BadRequest', code: 'bad_request' },
  key_reused: { status: 422, statusWord: 'Conflict', code: 'key_reused' },
  too_many_requests: { status: 429, statusWord: 'TooManyRequests', code: 'too_many_requests' },
  internal: { status: 500, statusWord: 'InternalServerError', code: 'internal' },
  not_implemented: { status: 501, statusWord: 'NotImplemented', code: 'not_implemented' },
  payment_unknown: { status: 502, statusWord: 'BadGateway', code: 'payment_unknown' },
  unavailable: { status: 503, statusWord: 'ServiceUnavailable', code: 'unavailable' },
};

/** The kind of the errors with an HTTP status; `internal` for any other status. */
export const findErrorKind = (status: number): ErrorKind =>
  (Object.entries(ERROR_ANSWERS) as [ErrorKind, ErrorAnswer][]).find(([, answer]) => answer.status === status)?.[0] ?? 'internal';

/**
 * Returns the Status of the XML document; pages recognise an unknown store by a word of its own.
 */
const getStatusWord = ({ kind, code }: DomainError): string =>
  code === 'invalid_store' ? 'Invalid' : ERROR_ANSWERS[kind].statusWord;

/** The HTTP status of an error thrown while a request was handled. */
export const getErrorStatus = (error: unknown): number =>
  error instanceof DomainError ? ERROR_ANSWERS[error.kind].status : getThrownStatus(error);

export const toErrorXml = (error: DomainError): string =>
  renderDocument(
    renderElement('Error', [
      renderFields({
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
