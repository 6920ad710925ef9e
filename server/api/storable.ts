import type { FastifyRequest } from 'fastify';
import { Refusal } from './refusal.ts';

const DEEPEST = 32;

/**
 * The database's texts hold neither NUL nor half a character; JSON can spell both. Its whole numbers hold no infinity, which
 * a text such as 1e309 becomes and no range of the contract is applied to.
 */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\u0000');
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth < DEEPEST && Object.entries(value).every(([key, each]) => isStorable(key) && isStorable(each, depth + 1));
}

/** @throws Refusal 400 for a value that could never be stored or found */
export function refuseUnstorable({ query, params, body }: FastifyRequest): void {
  if (![query, params, body].every((part) => isStorable(part)))
    throw new Refusal(400, 'The request holds what no text or number is, or is nested too deeply.');
}
