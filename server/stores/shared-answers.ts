import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type CompressedForms, compressedForm, ONE_PACKET_BYTES, varyByEncoding } from '../base/compressed-forms.ts';
import { inOwnMemory } from '../base/own-memory.ts';
import type { Store } from './stores.ts';
import type { Turns } from '../base/turns.ts';

/** An answer as it is sent. */
export type SharedAnswer = { status: number; contentType: string; body: Buffer };

/** The answer as it is kept. */
export const keepable = (answer: SharedAnswer): SharedAnswer => ({ ...answer, body: inOwnMemory(answer.body) });

/** Bytes of one answer; a longer one is asked for too seldom to keep. */
const LONGEST = 512 * 1024;
/** Bytes that an answer weighs besides its body and its name, as measured. */
const OVERHEAD = 1024;
/** How much more it takes with its compressed form. */
const WITH_COMPRESSED = 2;

/**
 * Pages and answers of calls that all callers share, as they are sent, kept until their
 * store changes. The store's version comes from the database, so that other processes' changes
 * count too.
 */
export class SharedAnswers {
  readonly #kept: LRUCache<string, SharedAnswer> | undefined;
  readonly #turns: Turns;
  readonly #underWay = new Map<string, Promise<SharedAnswer>>();

  /** @param bytes that may be kept; 0 keeps nothing */
  constructor(bytes: number, turns: Turns) {
    this.#turns = turns;
    if (bytes === 0) return;
    this.#kept = new LRUCache({
      maxSize: bytes,
      maxEntrySize: LONGEST,
      sizeCalculation: ({ body }, name) => body.length * WITH_COMPRESSED + name.length + OVERHEAD,
    });
  }

  /**
   * The answer to `what` of the store; of those who ask for one `what` at once, the first does the
   * work.
   */
  async of(store: Store, what: string, work: () => Promise<SharedAnswer>): Promise<SharedAnswer> {
    const name = `${store.id} ${store.version} ${what}`;
    await this.#turns.afterPurchases();
    return this.#kept?.get(name) ?? this.#underWay.get(name) ?? this.#begin(name, work);
  }

  async #begin(name: string, work: () => Promise<SharedAnswer>): Promise<SharedAnswer> {
    const working = this.#turns.list(work);
    this.#underWay.set(name, working);
    try {
      const answer = keepable(await working);
      if (answer.status === 200) this.#kept?.set(name, answer);
      return answer;
    } finally {
      this.#underWay.delete(name);
    }
  }
}

const compressed = new WeakMap<SharedAnswer, CompressedForms>();

/**
 * Sends an answer, compressed where the browser takes it. Only shared answers are:
 * in a compressed answer to one customer, lengths would reveal its secrets.
 */
export async function sendShared(request: FastifyRequest, reply: FastifyReply, answer: SharedAnswer): Promise<FastifyReply> {
  const { status, contentType, body } = answer;
  reply.code(status).type(contentType);
  if (body.length <= ONE_PACKET_BYTES) return reply.send(body);
  varyByEncoding(reply);
  const forms = compressed.get(answer) ?? {};
  compressed.set(answer, forms);
  const form = await compressedForm(request.headers['accept-encoding'] ?? '', forms, body);
  return form === null ? reply.send(body) : reply.header('content-encoding', form.encoding).send(form.body);
}
