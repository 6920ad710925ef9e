import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { OneAtATime } from '../../database/one-at-a-time.ts';
import type { Database } from '../../database/open.ts';
import type { Services } from '../../services.ts';
import { DomainError } from '../../kernel/errors.ts';
import { realNow } from '../../base/clock/time.ts';

const DAY = 24 * 60 * 60 * 1000;

/** What a call answered: kept so that a repetition of it is answered alike. */
export type KeptAnswer = { status: number; contentType: string; body: string };

type Caller = { storeId: string; customerId: string | undefined };

const digest = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** Tells one request from another: everything that it says but its access token, which may have been renewed. */
function fingerprint(request: FastifyRequest): string {
  const url = new URL(request.url, 'http://store');
  url.searchParams.delete('accesstoken');
  url.searchParams.sort();
  return digest([request.method, url.pathname, url.search, JSON.stringify(request.body ?? null)]);
}

/**
 * Answers repetitions of a call that changes something with the first answer, for a day. Repetitions that arrive while
 * the first still runs wait for it. Answers of 500 and above are not kept: what they left open may be tried again.
 */
export class Idempotency {
  readonly #db: Database;
  readonly #oneAtATime: OneAtATime;
  readonly #running = new Map<string, { print: string; answer: Promise<KeptAnswer> }>();

  constructor({ db, oneAtATime }: Pick<Services, 'db' | 'oneAtATime'>) {
    this.#db = db;
    this.#oneAtATime = oneAtATime;
  }

  /** @throws DomainError key_reused when the key was used for another request */
  async once(caller: Caller, key: string, request: FastifyRequest, run: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
    // Customers choose their keys without knowing of each other.
    const scoped = digest([caller.customerId ?? '', key]);
    const print = fingerprint(request);
    const name = `${caller.storeId} ${scoped}`;
    const running = this.#running.get(name);
    if (running) {
      if (running.print !== print) throw reused();
      return running.answer;
    }
    // Another process may have been sent the same call.
    const answer = this.#oneAtATime(name, () => this.#recallOrRun(caller.storeId, scoped, print, run));
    this.#running.set(name, { print, answer });
    try {
      return await answer;
    } finally {
      this.#running.delete(name);
    }
  }

  async #recallOrRun(storeId: string, key: string, print: string, run: () => Promise<KeptAnswer>): Promise<KeptAnswer> {
    const kept = await this.#db
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('key', '=', key)
      .where('created_at', '>', new Date(realNow() - DAY))
      .executeTakeFirst();
    if (kept) {
      if (kept.fingerprint !== print) throw reused();
      return { status: kept.status, contentType: kept.content_type, body: kept.body };
    }
    const answer = await run();
    if (answer.status < 500) await this.#keep(storeId, key, print, answer);
    return answer;
  }

  async #keep(storeId: string, key: string, print: string, answer: KeptAnswer): Promise<void> {
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

const reused = () => new DomainError('key_reused', 'This Idempotency-Key was used for another request.', { code: 'key_reused' });
