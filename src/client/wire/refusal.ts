import type { Problem } from '../../../machines/model/problem.ts';
import { emailAddress } from './address.ts';
import { httpProblem } from './problem.ts';

/** What an error document says, whatever it was written in. */
export type Refusal = {
  status: number | null;
  /** The document's stable word, empty when it has none. */
  code: string;
  message: string;
  /** The address for questions, where the document has one. */
  supportEmail?: string;
};

/** `NotFound` and `Not found` are both `not_found`. */
export const stableWord = (word: string): string =>
  word
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase()
    .slice(0, 64);

const storeCodes = new Set(['invalid', 'invalid_store']);
/** Codes by which the server says that it failed: whether anything happened is open, so it is no refusal. */
const brokenCodes = new Set(['internal', 'internal_server_error', 'unavailable', 'service_unavailable']);

/** The Problem of an unknown store, with the address for questions that the answer gives. */
export const invalidStore = (supportEmail: string | undefined): Problem => {
  const address = emailAddress(supportEmail);
  return { kind: 'invalidStore', ...(address === '' ? {} : { supportEmail: address }) };
};

/** The Problem that an error document stands for; `status` is the HTTP status that it came with. */
export const problemOfRefusal = (refusal: Refusal, status: number): Problem => {
  if (refusal.status === 401 || status === 401 || refusal.code === 'unauthorized') return { kind: 'unauthorized' };
  if (storeCodes.has(refusal.code)) return invalidStore(refusal.supportEmail);
  const broken = refusal.status ?? status;
  if (brokenCodes.has(refusal.code)) return httpProblem(broken >= 500 ? broken : 500);
  return { kind: 'refused', code: refusal.code, message: refusal.message.slice(0, 500) };
};
