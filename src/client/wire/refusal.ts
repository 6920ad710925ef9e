import type { Problem } from '../../../machines/model/problem.ts';
import { toEmailAddress } from './address.ts';
import { httpProblem } from './problem.ts';

/** An error document, in XML or JSON. */
export type Refusal = {
  status: number | null;
  /** The document's stable error code, empty without one. */
  code: string;
  message: string;
  /** The support address, where the document has one. */
  supportEmail?: string;
};

/** Normalises an error code: `NotFound` and `Not found` are both `not_found`. */
export const toErrorCode = (word: string): string =>
  word
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase()
    .slice(0, 64);

const invalidStoreCodes = new Set(['invalid', 'invalid_store']);
/**
 * Codes for failures of the server: whether the change was made is unknown, so they are not
 * refusals.
 */
const serverErrorCodes = new Set(['internal', 'internal_server_error', 'unavailable', 'service_unavailable']);

/** The Problem of an unknown store, with the support address of the answer. */
export const invalidStoreProblem = (supportEmail: string | undefined): Problem => {
  const address = toEmailAddress(supportEmail);
  return { kind: 'invalidStore', ...(address === '' ? {} : { supportEmail: address }) };
};

/** The Problem of an error document; `status` is the HTTP status of its answer. */
export const toRefusalProblem = (refusal: Refusal, status: number): Problem => {
  if (refusal.status === 401 || status === 401 || refusal.code === 'unauthorized') return { kind: 'unauthorized' };
  if (invalidStoreCodes.has(refusal.code)) return invalidStoreProblem(refusal.supportEmail);
  const failureStatus = refusal.status ?? status;
  if (serverErrorCodes.has(refusal.code)) return httpProblem(failureStatus >= 500 ? failureStatus : 500);
  return { kind: 'refused', code: refusal.code, message: refusal.message.slice(0, 500) };
};
