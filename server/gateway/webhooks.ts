import { randomUUID } from 'node:crypto';
import type { Delivery } from './cards.ts';
import type { GatewayIntent, IntentState } from './intent.ts';
import { signBody } from '../base/signature.ts';
import { realNow } from '../base/clock/time.ts';

/**
 * The states that trigger a webhook; stores do not need the intermediate states of the payment
 * page.
 */
export const WEBHOOK_STATES: IntentState[] = ['authorized', 'captured', 'cancelled', 'failed'];

/** Delays in ms before each retry of an unanswered webhook. */
const RETRY_DELAYS_MS = [200, 1000, 5000, 30_000, 120_000];
const REQUEST_TIMEOUT_MS = 10_000;

type Message = { id: string; reference: string; state: IntentState };

/** Delay of a late webhook in ms. */
const LATE_DELAY_MS = 10_000;

/**
 * Sends webhooks. A webhook reports that a payment has changed; the store then reads the payment.
 * Webhooks are only in memory: the store's sweep makes up for those lost in a crash.
 */
export class WebhookSender {
  readonly #secret: string;
  readonly #lateDelayMs: number;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Webhooks that wait until the next one of the same payment has been sent. */
  readonly #waitingMessages = new Map<string, Message>();
  #isClosed = false;

  constructor(secret: string, lateDelayMs = LATE_DELAY_MS) {
    this.#secret = secret;
    this.#lateDelayMs = lateDelayMs;
  }

  deliver({ id, notifyUrl, reference, state, delivery }: GatewayIntent): void {
    if (notifyUrl === undefined || !WEBHOOK_STATES.includes(state)) return;
    const message = { id: randomUUID(), reference, state };
    const deliveries: Record<Delivery, () => unknown> = {
      late: () => this.#runAfter(this.#lateDelayMs, () => this.#send(notifyUrl, message)),
      twice: () => Promise.all([this.#send(notifyUrl, message), this.#send(notifyUrl, message)]),
      disordered: () => this.#sendOutOfOrder(id, notifyUrl, message),
    };
    void (delivery === undefined ? this.#send(notifyUrl, message) : deliveries[delivery]());
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #sendOutOfOrder(intentId: string, url: string, message: Message): Promise<void> {
    const waitingMessage = this.#waitingMessages.get(intentId);
    if (message.state === 'authorized' && waitingMessage === undefined) return void this.#waitingMessages.set(intentId, message);
    this.#waitingMessages.delete(intentId);
    await this.#send(url, message);
    if (waitingMessage !== undefined) await this.#send(url, waitingMessage);
  }

  #runAfter(milliseconds: number, run: () => unknown): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, milliseconds);
    this.#timers.add(timer);
  }

  async #send(url: string, message: Message, attempt = 0): Promise<void> {
    const body = JSON.stringify(message);
    const headers = { 'content-type': 'application/json', 'gateway-signature': signBody(body, this.#secret, realNow()) };
    const isAccepted = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).then(
      async ({ ok, body: unreadBody }) => {
        await unreadBody?.cancel();
        return ok;
      },
      () => false,
    );
    const wait = RETRY_DELAYS_MS[attempt];
    if (!isAccepted && wait !== undefined) this.#runAfter(wait, () => this.#send(url, message, attempt + 1));
  }
}
