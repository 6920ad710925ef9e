import { element, fields, xmlDocument } from '../xml/write.ts';

/** Words of the XML document's Status, and the JSON document's code where a refusal gives none of its own. */
const WORDS: Record<number, { status: string; code: string }> = {
  400: { status: 'BadRequest', code: 'bad_request' },
  401: { status: 'Unauthorized', code: 'unauthorized' },
  402: { status: 'PaymentRequired', code: 'payment_failed' },
  403: { status: 'Forbidden', code: 'forbidden' },
  404: { status: 'NotFound', code: 'not_found' },
  409: { status: 'Conflict', code: 'conflict' },
  413: { status: 'BadRequest', code: 'bad_request' },
  415: { status: 'BadRequest', code: 'bad_request' },
  422: { status: 'Conflict', code: 'key_reused' },
  429: { status: 'TooManyRequests', code: 'too_many_requests' },
  500: { status: 'InternalServerError', code: 'internal' },
  501: { status: 'NotImplemented', code: 'not_implemented' },
  502: { status: 'BadGateway', code: 'payment_unknown' },
  503: { status: 'ServiceUnavailable', code: 'unavailable' },
};

type Details = { code?: string; status?: string; extra?: Record<string, string | number> };

/** An answer that says no, with its reason. Anything else that is thrown is a defect and answers 500 without details. */
export class Refusal extends Error {
  readonly statusCode: number;
  readonly code: string;
  readonly status: string;
  readonly extra: Record<string, string | number>;
  readonly hasOwnCode: boolean;

  constructor(statusCode: number, message: string, details: Details = {}) {
    super(message);
    this.name = 'Refusal';
    this.statusCode = statusCode;
    const words = WORDS[statusCode] ?? { status: 'InternalServerError', code: 'internal' };
    this.code = details.code ?? words.code;
    this.hasOwnCode = details.code !== undefined;
    this.status = details.status ?? words.status;
    this.extra = details.extra ?? {};
  }
}

export const unauthorized = (): Refusal => new Refusal(401, 'Please sign in.');
export const notFound = (what: string): Refusal => new Refusal(404, `There is no such ${what}.`);
export const invalidStore = (): Refusal =>
  new Refusal(404, 'There is no such store.', { code: 'invalid_store', status: 'Invalid' });

/**
 * @param seconds to wait, of the limit of new accounts; 0 lets the call go on.
 * @throws Refusal 429
 */
export function requireAccountsLeft(seconds: number): void {
  if (seconds > 0)
    throw new Refusal(429, 'Too many accounts were created from here. Please try again later.', {
      extra: { retryAfterSeconds: seconds },
    });
}

/**
 * @param seconds to wait, of a rate limit; 0 lets the call go on.
 * @throws Refusal 429 with Retry-After
 */
export function requireNoWait(seconds: number): void {
  if (seconds > 0)
    throw new Refusal(429, 'Too many attempts. Please try again later.', { extra: { retryAfterSeconds: seconds } });
}

export const toXml = (refusal: Refusal): string =>
  xmlDocument(
    element('Error', [
      fields({
        StatusCode: refusal.statusCode,
        Status: refusal.status,
        Code: refusal.hasOwnCode ? refusal.code : undefined,
        Message: refusal.message,
      }),
    ]),
  );

export const toJson = (refusal: Refusal): string =>
  JSON.stringify({ error: refusal.message, status: refusal.statusCode, code: refusal.code, ...refusal.extra });
