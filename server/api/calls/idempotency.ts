import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { OneAtATime } from '../../database/advisory-locks.ts';
import type { Database } from '../../database/open.ts';
import type { Services } from '../../services.ts';
import { DomainError } from '../../kernel/errors.ts';
import { realNow } from '../../base/clock/time.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The stored response to a call, returned to its repetitions. */
export type StoredAnswer = { status: number; contentType: string; body: string };

type Caller = { storeId: string; customerId: string | undefined };

const hashParts = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * Computes a hash of the request, except for the access token, which may have been renewed.
 */
function computeFingerprint(request: FastifyRequest): string {
  const url = new URL(request.url, 'http://store');
  url.searchParams.delete('accesstoken');
  url.searchParams.sort();
  return hashParts([request.method, url.pathname, url.search, JSON.stringify(request.body ?? null)]);
}

/**
 * Answers repetitions of a call that changes data with the response to the first one, for a day.
 * Repetitions wait while the first call is running. Responses with a status of 500 or above are not
 * stored, so that the call can be retried.
 */
export class Idempotency {
  readonly #db: Database;
  readonly #oneAtATime: OneAtATime;
  readonly #runningCalls = new Map<string, { fingerprint: string; answer: Promise<StoredAnswer> }>();

  constructor({ db, oneAtATime }: Pick<Services, 'db' | 'oneAtATime'>) {
    this.#db = db;
    this.#oneAtATime = oneAtATime;
  }

  /**
   * Runs a call once per key.
   * @throws DomainError key_reused if the key was used for another request
   */
  async runOnce(caller: Caller, key: string, request: FastifyRequest, run: () => Promise<StoredAnswer>): Promise<StoredAnswer> {
    // Scoped, since keys of different customers may collide by chance.
    const scopedKey = hashParts([caller.customerId ?? '', key]);
    const fingerprint = computeFingerprint(request);
    const name = `${caller.storeId} ${scopedKey}`;
    const runningCall = this.#runningCalls.get(name);
    if (runningCall) {
      if (runningCall.fingerprint !== fingerprint) throw keyReusedError();
      return runningCall.answer;
    }
    // Another process may have received the same call.
    const answer = this.#oneAtATime(name, () => this.#readStoredOrRun(caller.storeId, scopedKey, fingerprint, run));
    this.#runningCalls.set(name, { fingerprint, answer });
    try {
      return await answer;
    } finally {
      this.#runningCalls.delete(name);
    }
  }

  async #readStoredOrRun(
    storeId: string,
    key: string,
    fingerprint: string,
    run: () => Promise<StoredAnswer>,
  ): Promise<StoredAnswer> {
    const storedAnswer = await this.#db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('key', '=', key)
      .where('created_at', '>', new Date(realNow() - DAY_MS))
      .executeTakeFirst();
    if (storedAnswer) {
      if (storedAnswer.fingerprint !== fingerprint) throw keyReusedError();
      return { status: storedAnswer.status, contentType: storedAnswer.content_type, body: storedAnswer.body };
    }
    const answer = await run();
    if (answer.status < 500) await this.#store(storeId, key, fingerprint, answer);
    return answer;
  }

  async #store(storeId: string, key: string, fingerprint: string, answer: StoredAnswer): Promise<void> {
    const row = {
      fingerprint,
      status: answer.status,
      content_type: answer.contentType,
      body: answer.body,
      created_at: new Date(realNow()),
    };
    await this.#db
      .insertInto('idempotency_keys')
      .values({ store_id: storeId, key, ...row })
      .onConflict((conflict) => conflict.columns(['store_id', 'key']).doUpdateSet(row))
      .execute();
  }
}

const keyReusedError = () =>
  new DomainError('key_reused', 'This Idempotency-Key was used for another request: expected a new key.', { code: 'key_reused' });
