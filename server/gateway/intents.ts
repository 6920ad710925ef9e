import { randomBytes } from 'node:crypto';
import type { GatewayIntent, IntentState } from './intent.ts';
import type { Journal } from './journal.ts';
import type { KeptCards } from './kept-cards.ts';
import type { Delivery, KeptCard, TestCard } from './cards.ts';
import { MOST_REFUSALS, outcomeOf, paysWhenKept } from './cards.ts';
import type { News } from './news.ts';
import type { ShopTime } from './shop-time.ts';
import type { Subscriptions } from './subscriptions.ts';

export type NewIntent = Pick<
  GatewayIntent,
  | 'reference'
  | 'amountMinor'
  | 'currency'
  | 'description'
  | 'shopName'
  | 'returnUrl'
  | 'notifyUrl'
  | 'language'
  | 'customer'
  | 'subscription'
  | 'method'
>;

const LIVE: IntentState[] = ['open', 'action_required', 'authorized'];

/** The gateway's book of payments. Every change is in the journal before it is answered. */
export class Intents {
  readonly #journal: Journal;
  readonly #byId = new Map<string, GatewayIntent>();
  readonly #byReference = new Map<string, string>();
  readonly #cards: KeptCards;
  readonly #subscriptions: Subscriptions;
  readonly #news: News;
  readonly #time: ShopTime;

  constructor(journal: Journal, around: { cards: KeptCards; subscriptions: Subscriptions; news: News; time: ShopTime }) {
    this.#journal = journal;
    this.#cards = around.cards;
    this.#subscriptions = around.subscriptions;
    this.#news = around.news;
    this.#time = around.time;
    for (const entry of journal.entries()) if (entry.kind === 'intent') this.#remember(entry.intent);
    // One that was charged before the gateway ended still begins its subscription.
    for (const intent of this.#byId.values())
      if (intent.state === 'captured') this.#time.run(intent.clockAhead ?? 0, () => this.#subscriptions.start(intent));
  }

  read(id: string): GatewayIntent | undefined {
    return this.#byId.get(id);
  }

  readByReference(reference: string): GatewayIntent | undefined {
    return this.#byId.get(this.#byReference.get(reference) ?? '');
  }

  /** The reference's intent: the one that is there, or a new one. */
  create(request: NewIntent): GatewayIntent {
    const known = this.readByReference(request.reference);
    if (known) return known;
    const id = `pi_${randomBytes(16).toString('hex')}`;
    const fresh = { state: 'open', reason: null, refusals: 0, keptCard: null, challenged: null, losesAnswer: false } as const;
    return this.#write({ ...request, ...fresh, id, ...this.#time.stamp() });
  }

  /** Tries a card. A refused one leaves the intent open for another, until five have been refused. */
  pay(intent: GatewayIntent, testCard: TestCard, keep: KeptCard | null): GatewayIntent {
    const isForCards = intent.state === 'open' || intent.state === 'action_required';
    if (!isForCards || intent.method === 'wallet') return intent;
    const outcome = outcomeOf(testCard);
    if (outcome.kind === 'refused') return this.#refuse(intent, outcome.reason);
    if (outcome.kind === 'challenge') return this.#write({ ...intent, state: 'action_required', challenged: { testCard, keep } });
    return this.#authorize(intent, testCard, keep, outcome);
  }

  /** What the customer said on the wallet's page. One that is refused leaves the intent open, as a card does. */
  payByWallet(intent: GatewayIntent, approved: boolean): GatewayIntent {
    if (intent.state !== 'open' || intent.method !== 'wallet') return intent;
    return approved ? this.#authorize(intent, null, null, { losesAnswer: false }) : this.#refuse(intent, 'payment_failed');
  }

  /** What the bank's page said. */
  answerChallenge(intent: GatewayIntent, approved: boolean): GatewayIntent {
    if (intent.state !== 'action_required' || !intent.challenged) return intent;
    const { testCard, keep } = intent.challenged;
    return approved
      ? this.#authorize(intent, testCard, keep, { losesAnswer: false })
      : this.#refuse(intent, 'authentication_failed');
  }

  /** Pays with a card that was kept for the same customer. */
  payWithKept(intent: GatewayIntent, token: string): GatewayIntent {
    const kept = this.#cards.find(token);
    if (kept?.customer !== intent.customer) return this.#refuse(intent, 'card_unknown');
    if (!paysWhenKept(kept.testCard)) return this.#refuse(intent, 'card_declined');
    return this.pay(intent, kept.testCard, null);
  }

  capture(intent: GatewayIntent): { intent: GatewayIntent; answerIsLost: boolean } {
    if (intent.state !== 'authorized') return { intent, answerIsLost: false };
    const captured = this.#write({ ...intent, state: 'captured', losesAnswer: false });
    this.#subscriptions.start(captured);
    return { intent: captured, answerIsLost: intent.losesAnswer };
  }

  cancel(intent: GatewayIntent): GatewayIntent {
    return LIVE.includes(intent.state) ? this.#write({ ...intent, state: 'cancelled', challenged: null }) : intent;
  }

  refund(intent: GatewayIntent): GatewayIntent {
    const isDue = intent.state === 'captured' && intent.refundedMinor !== intent.amountMinor;
    return isDue ? this.#write({ ...intent, refundedMinor: intent.amountMinor }) : intent;
  }

  #authorize(
    intent: GatewayIntent,
    testCard: TestCard,
    keep: KeptCard | null,
    { losesAnswer, delivery }: { losesAnswer: boolean; delivery?: Delivery },
  ): GatewayIntent {
    const keptCard = keep && this.#cards.keep(intent.customer, testCard, keep);
    const paid = { state: 'authorized', challenged: null, keptCard } as const;
    const renewal = intent.subscription ? { renewalCard: testCard } : {};
    return this.#write({ ...intent, ...paid, ...renewal, losesAnswer, ...(delivery ? { delivery } : {}) });
  }

  #refuse(intent: GatewayIntent, reason: string): GatewayIntent {
    const refusals = intent.refusals + 1;
    const state = refusals >= MOST_REFUSALS ? 'failed' : 'open';
    return this.#write({ ...intent, state, reason, refusals, challenged: null });
  }

  #write(intent: GatewayIntent): GatewayIntent {
    this.#journal.append({ kind: 'intent', intent });
    const { state } = this.read(intent.id) ?? {};
    const after = this.#remember(intent);
    // A refund leaves it captured, and is told of as well.
    if (state !== intent.state || intent.refundedMinor !== undefined) this.#news.tell(intent);
    return after;
  }

  #remember(intent: GatewayIntent): GatewayIntent {
    this.#byId.set(intent.id, intent);
    this.#byReference.set(intent.reference, intent.id);
    return intent;
  }
}
