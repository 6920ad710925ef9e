import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type CompressedForms, getCompressedForm, ONE_PACKET_BYTES, varyByEncoding } from '../base/compressed-forms.ts';
import { copyToOwnMemory } from '../base/copy-buffer.ts';
import type { Store } from './stores.ts';
import type { PriorityGate } from '../base/priority-gate.ts';

/** An answer as it is sent. */
export type SharedAnswer = { status: number; contentType: string; body: Buffer };

/** A copy of the answer to cache. */
export const toCacheable = (answer: SharedAnswer): SharedAnswer => ({ ...answer, body: copyToOwnMemory(answer.body) });

/**
 * Maximum bytes of a cache entry, in which an answer's body counts twice; longer answers are
 * requested too rarely.
 */
const MAX_ANSWER_BYTES = 512 * 1024;
/** Bytes of a cache entry beside its body and its name, as measured. */
const ENTRY_OVERHEAD_BYTES = 1024;
/** Factor for the additional compressed form. */
const COMPRESSED_FACTOR = 2;

/**
 * Cache of pages and answers that are the same for all callers, until their store changes. The
 * store's version comes from the database, so that changes by other processes count, too.
 */
export class SharedAnswerCache {
  readonly #answers: LRUCache<string, SharedAnswer> | undefined;
  readonly #priorityGate: PriorityGate;
  readonly #pendingAnswers = new Map<string, Promise<SharedAnswer>>();

  /** @param bytes cache size; 0 disables the cache */
  constructor(bytes: number, priorityGate: PriorityGate) {
    this.#priorityGate = priorityGate;
    if (bytes === 0) return;
    this.#answers = new LRUCache({
      maxSize: bytes,
      maxEntrySize: MAX_ANSWER_BYTES,
      sizeCalculation: ({ body }, name) => body.length * COMPRESSED_FACTOR + name.length + ENTRY_OVERHEAD_BYTES,
    });
  }

  /** The cached answer for a key of the store; concurrent requests share the work of the first. */
  async getOrCreate(store: Store, key: string, work: () => Promise<SharedAnswer>): Promise<SharedAnswer> {
    const cacheKey = `${store.id} ${store.version} ${key}`;
    await this.#priorityGate.waitForPurchases();
    return this.#answers?.get(cacheKey) ?? this.#pendingAnswers.get(cacheKey) ?? this.#create(cacheKey, work);
  }

  async #create(cacheKey: string, work: () => Promise<SharedAnswer>): Promise<SharedAnswer> {
    const pendingAnswer = this.#priorityGate.runList(work);
    this.#pendingAnswers.set(cacheKey, pendingAnswer);
    try {
      const answer = toCacheable(await pendingAnswer);
      if (answer.status === 200) this.#answers?.set(cacheKey, answer);
      return answer;
    } finally {
      this.#pendingAnswers.delete(cacheKey);
    }
  }
}

const compressedForms = new WeakMap<SharedAnswer, CompressedForms>();

/**
 * Sends an answer, compressed where the browser accepts it. Only shared answers are compressed: in
 * an answer to one customer, its length would reveal secrets.
 */
export async function sendSharedAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SharedAnswer,
): Promise<FastifyReply> {
  const { status, contentType, body } = answer;
  reply.code(status).type(contentType);
  if (body.length <= ONE_PACKET_BYTES) return reply.send(body);
  varyByEncoding(reply);
  const forms = compressedForms.get(answer) ?? {};
  compressedForms.set(answer, forms);
  const form = await getCompressedForm(request.headers['accept-encoding'] ?? '', forms, body);
  return form === null ? reply.send(body) : reply.header('content-encoding', form.encoding).send(form.body);
}
