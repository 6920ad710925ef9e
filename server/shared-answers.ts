import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { inOwnMemory } from './own-memory.ts';
import type { Store } from './stores.ts';
import type { Turns } from './turns.ts';

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
 * Pages and answers of calls that are the same for everybody, as they are sent, kept until their store changes. The store's
 * version comes from the database, so that other processes' changes count too.
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

  /** The answer to `what` of the store; of those who ask for one `what` at once, the first does the work. */
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

const compress = promisify(gzip);
const compressByBrotli = promisify(brotliCompress);

/** The compressed forms of an answer; that of Brotli is there once it has been made. */
type Compressed = { gzip?: Promise<Buffer>; brotli?: Buffer };
const compressed = new WeakMap<SharedAnswer, Compressed>();

/** Bytes that go out in one packet, compressed or not. */
const ONE_PACKET = 1_400;
/** Bytes of the longest answer that Brotli compresses: a sixth smaller than gzip, in a tenth of a second for 100 KB. */
const LONGEST_BROTLI = 128 * 1024;
const takes = (encoding: string): RegExp => new RegExp(String.raw`(?:^|[\s,])${encoding}(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))`, 'i');
const TAKES_GZIP = takes('gzip');
const TAKES_BROTLI = takes('br');

/** One at a time, so that visitors who wait for a first compressed form do not stand in a queue behind these. */
let isCompressing = false;

/** Begins to compress an answer by Brotli that is asked for again: most never are. */
function beginBrotli(forms: Compressed, { body }: SharedAnswer): void {
  if (isCompressing || forms.brotli || body.length > LONGEST_BROTLI) return;
  isCompressing = true;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  compressByBrotli(body, { params })
    .then((brotli) => (forms.brotli = inOwnMemory(brotli)))
    // It goes out as it did before.
    .catch(() => undefined)
    .finally(() => (isCompressing = false));
}

/**
 * Sends an answer, compressed where the browser takes it. Only what is the same for everybody is: in a compressed answer to one
 * customer, lengths would tell of its secrets.
 */
export async function sendShared(request: FastifyRequest, reply: FastifyReply, answer: SharedAnswer): Promise<FastifyReply> {
  const { status, contentType, body } = answer;
  reply.code(status).type(contentType);
  if (body.length <= ONE_PACKET) return reply.send(body);
  reply.header('vary', ['Accept-Encoding', reply.getHeader('vary')].filter((name) => name !== undefined).join(', '));
  const taken = request.headers['accept-encoding'] ?? '';
  const known = compressed.get(answer);
  const forms: Compressed = known ?? {};
  if (!known) compressed.set(answer, forms);
  if (TAKES_BROTLI.test(taken)) {
    if (forms.brotli) return reply.header('content-encoding', 'br').send(forms.brotli);
    if (known) beginBrotli(forms, answer);
  }
  if (!TAKES_GZIP.test(taken)) return reply.send(body);
  forms.gzip ??= compress(body).then(inOwnMemory);
  return reply.header('content-encoding', 'gzip').send(await forms.gzip);
}
