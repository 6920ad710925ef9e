import { randomUUID } from 'node:crypto';
import type { Delivery } from './cards.ts';
import type { GatewayIntent, IntentState } from './intent.ts';
import { signed } from '../base/signature.ts';
import { realNow } from '../base/clock/time.ts';

/**
 * The states that a store gets a webhook for; it needs to know nothing of those that a payment has
 * on the page.
 */
export const WEBHOOK_STATES: IntentState[] = ['authorized', 'captured', 'cancelled', 'failed'];

/** Milliseconds until a message that nobody took is sent again, and then again. */
const AGAIN = [200, 1000, 5000, 30_000, 120_000];
const TIMEOUT = 10_000;

type Message = { id: string; reference: string; state: IntentState };

/** Milliseconds by which a late message comes late. */
const LATE = 10_000;

/**
 * What the gateway tells stores by itself: that something has become of a payment. They ask what. A message is kept in memory alone;
 * one that is lost with the process the store makes up for by asking now and then.
 */
export class News {
  readonly #secret: string;
  readonly #late: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Messages that wait for the next one of the same payment, which overtakes them. */
  readonly #overtaken = new Map<string, Message>();
  #isClosed = false;

  constructor(secret: string, late = LATE) {
    this.#secret = secret;
    this.#late = late;
  }

  tell({ id, notifyUrl, reference, state, delivery }: GatewayIntent): void {
    if (notifyUrl === undefined || !WEBHOOK_STATES.includes(state)) return;
    const message = { id: randomUUID(), reference, state };
    const deliveries: Record<Delivery, () => unknown> = {
      late: () => this.#after(this.#late, () => this.#send(notifyUrl, message)),
      twice: () => Promise.all([this.#send(notifyUrl, message), this.#send(notifyUrl, message)]),
      disordered: () => this.#overtake(id, notifyUrl, message),
    };
    void (delivery === undefined ? this.#send(notifyUrl, message) : deliveries[delivery]());
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #overtake(intentId: string, to: string, message: Message): Promise<void> {
    const earlier = this.#overtaken.get(intentId);
    if (message.state === 'authorized' && earlier === undefined) return void this.#overtaken.set(intentId, message);
    this.#overtaken.delete(intentId);
    await this.#send(to, message);
    if (earlier !== undefined) await this.#send(to, earlier);
  }

  #after(milliseconds: number, then: () => unknown): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, milliseconds);
    this.#timers.add(timer);
  }

  async #send(to: string, message: Message, attempt = 0): Promise<void> {
    const body = JSON.stringify(message);
    const headers = { 'content-type': 'application/json', 'gateway-signature': signed(body, this.#secret, realNow()) };
    const isTaken = await fetch(to, { method: 'POST', headers, body, signal: AbortSignal.timeout(TIMEOUT) }).then(
      async ({ ok, body: unread }) => {
        await unread?.cancel();
        return ok;
      },
      () => false,
    );
    const wait = AGAIN[attempt];
    if (!isTaken && wait !== undefined) this.#after(wait, () => this.#send(to, message, attempt + 1));
  }
}
