import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { OneAtATime } from '../../database/advisory-locks.ts';
import type { Database } from '../../database/open.ts';
import type { Services } from '../../services.ts';
import { DomainError } from '../../kernel/errors.ts';
import { realNow } from '../../base/clock/time.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The stored answer of a call, returned to its repetitions. */
export type StoredAnswer = { status: number; contentType: string; body: string };

type Caller = { storeId: string; customerId: string | undefined };

const digest = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/**
 * A hash that identifies a request: all of it except the access token, which may have been renewed.
 */
function fingerprint(request: FastifyRequest): string {
  const url = new URL(request.url, 'http://store');
  url.searchParams.delete('accesstoken');
  url.searchParams.sort();
  return digest([request.method, url.pathname, url.search, JSON.stringify(request.body ?? null)]);
}

/**
 * Answers repeated calls that change something with the first answer, for a day. Repetitions wait
 * while the first one is running. Answers of 500 and above are not stored, so that they can be
 * retried.
 */
export class Idempotency {
  readonly #db: Database;
  readonly #oneAtATime: OneAtATime;
  readonly #running = new Map<string, { print: string; answer: Promise<StoredAnswer> }>();

  constructor({ db, oneAtATime }: Pick<Services, 'db' | 'oneAtATime'>) {
    this.#db = db;
    this.#oneAtATime = oneAtATime;
  }

  /** @throws DomainError key_reused when the key was used for another request */
  async once(caller: Caller, key: string, request: FastifyRequest, run: () => Promise<StoredAnswer>): Promise<StoredAnswer> {
    // Keys of different customers may collide by chance.
    const scoped = digest([caller.customerId ?? '', key]);
    const print = fingerprint(request);
    const name = `${caller.storeId} ${scoped}`;
    const running = this.#running.get(name);
    if (running) {
      if (running.print !== print) throw keyReused();
      return running.answer;
    }
    // Another process may have received the same call.
    const answer = this.#oneAtATime(name, () => this.#recallOrRun(caller.storeId, scoped, print, run));
    this.#running.set(name, { print, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(name);
    }
  }

  async #recallOrRun(storeId: string, key: string, print: string, run: () => Promise<StoredAnswer>): Promise<StoredAnswer> {
    const kept = await this.#db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('key', '=', key)
      .where('created_at', '>', new Date(realNow() - DAY_MS))
      .executeTakeFirst();
    if (kept) {
      if (kept.fingerprint !== print) throw keyReused();
      return { status: kept.status, contentType: kept.content_type, body: kept.body };
    }
    const answer = await run();
    if (answer.status < 500) await this.#keep(storeId, key, print, answer);
    return answer;
  }

  async #keep(storeId: string, key: string, print: string, answer: StoredAnswer): Promise<void> {
    const row = {
      fingerprint: print,
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

const keyReused = () =>
  new DomainError('key_reused', 'This Idempotency-Key was used for another request.', { code: 'key_reused' });
