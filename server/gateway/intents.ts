import { randomBytes } from 'node:crypto';
import type { GatewayIntent, IntentState } from './intent.ts';
import type { Journal } from './journal.ts';
import type { SavedCards } from './saved-cards.ts';
import type { Delivery, SavedCard, TestCard } from './cards.ts';
import { MAX_REFUSALS, getOutcome, paysWhenSaved } from './cards.ts';
import type { WebhookSender } from './webhooks.ts';
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

const LIVE_STATES: IntentState[] = ['open', 'action_required', 'authorized'];

/** Stores the gateway's payments. Every change is in the journal before the response is sent. */
export class Intents {
  readonly #journal: Journal;
  readonly #byId = new Map<string, GatewayIntent>();
  readonly #byReference = new Map<string, string>();
  readonly #cards: SavedCards;
  readonly #subscriptions: Subscriptions;
  readonly #webhooks: WebhookSender;
  readonly #time: ShopTime;

  constructor(
    journal: Journal,
    dependencies: { cards: SavedCards; subscriptions: Subscriptions; webhooks: WebhookSender; time: ShopTime },
  ) {
    this.#journal = journal;
    this.#cards = dependencies.cards;
    this.#subscriptions = dependencies.subscriptions;
    this.#webhooks = dependencies.webhooks;
    this.#time = dependencies.time;
    for (const entry of journal.entries()) if (entry.kind === 'intent') this.#remember(entry.intent);
    // A payment captured just before a crash still starts its subscription.
    for (const intent of this.#byId.values())
      if (intent.state === 'captured') this.#time.run(intent.clockAhead ?? 0, () => this.#subscriptions.start(intent));
  }

  read(id: string): GatewayIntent | undefined {
    return this.#byId.get(id);
  }

  readByReference(reference: string): GatewayIntent | undefined {
    return this.#byId.get(this.#byReference.get(reference) ?? '');
  }

  /** Returns the reference's intent, or creates it. */
  create(request: NewIntent): GatewayIntent {
    const storedIntent = this.readByReference(request.reference);
    if (storedIntent) return storedIntent;
    const id = `pi_${randomBytes(16).toString('hex')}`;
    const initialFields = {
      state: 'open',
      reason: null,
      refusals: 0,
      keptCard: null,
      challenged: null,
      losesAnswer: false,
    } as const;
    return this.#write({ ...request, ...initialFields, id, ...this.#time.stamp() });
  }

  /**
   * Tries a card. After a declined card the intent stays open for another card, until
   * `MAX_REFUSALS` cards are declined.
   */
  pay(intent: GatewayIntent, testCard: TestCard, cardToSave: SavedCard | null): GatewayIntent {
    const isForCards = intent.state === 'open' || intent.state === 'action_required';
    if (!isForCards || intent.method === 'wallet') return intent;
    const outcome = getOutcome(testCard);
    if (outcome.kind === 'refused') return this.#refuse(intent, outcome.reason);
    if (outcome.kind === 'challenge')
      return this.#write({ ...intent, state: 'action_required', challenged: { testCard, keep: cardToSave } });
    return this.#authorize(intent, testCard, cardToSave, outcome);
  }

  /**
   * Handles the answer on the wallet's page. A refusal leaves the intent open, like a declined
   * card.
   */
  payByWallet(intent: GatewayIntent, isApproved: boolean): GatewayIntent {
    if (intent.state !== 'open' || intent.method !== 'wallet') return intent;
    return isApproved ? this.#authorize(intent, null, null, { losesAnswer: false }) : this.#refuse(intent, 'payment_failed');
  }

  /** Handles the answer on the bank's page. */
  answerChallenge(intent: GatewayIntent, isApproved: boolean): GatewayIntent {
    if (intent.state !== 'action_required' || !intent.challenged) return intent;
    const { testCard, keep } = intent.challenged;
    return isApproved
      ? this.#authorize(intent, testCard, keep, { losesAnswer: false })
      : this.#refuse(intent, 'authentication_failed');
  }

  /** Pays with a saved card of the same customer. */
  payWithSavedCard(intent: GatewayIntent, token: string): GatewayIntent {
    const savedCard = this.#cards.find(token);
    if (savedCard?.customer !== intent.customer) return this.#refuse(intent, 'card_unknown');
    if (!paysWhenSaved(savedCard.testCard)) return this.#refuse(intent, 'card_declined');
    return this.pay(intent, savedCard.testCard, null);
  }

  capture(intent: GatewayIntent): { intent: GatewayIntent; answerIsLost: boolean } {
    if (intent.state !== 'authorized') return { intent, answerIsLost: false };
    const capturedIntent = this.#write({ ...intent, state: 'captured', losesAnswer: false });
    this.#subscriptions.start(capturedIntent);
    return { intent: capturedIntent, answerIsLost: intent.losesAnswer };
  }

  cancel(intent: GatewayIntent): GatewayIntent {
    return LIVE_STATES.includes(intent.state) ? this.#write({ ...intent, state: 'cancelled', challenged: null }) : intent;
  }

  refund(intent: GatewayIntent): GatewayIntent {
    const isDue = intent.state === 'captured' && intent.refundedMinor !== intent.amountMinor;
    return isDue ? this.#write({ ...intent, refundedMinor: intent.amountMinor }) : intent;
  }

  #authorize(
    intent: GatewayIntent,
    testCard: TestCard,
    cardToSave: SavedCard | null,
    { losesAnswer, delivery }: { losesAnswer: boolean; delivery?: Delivery },
  ): GatewayIntent {
    const savedCard = cardToSave && this.#cards.save(intent.customer, testCard, cardToSave);
    const paidFields = { state: 'authorized', challenged: null, keptCard: savedCard } as const;
    const renewal = intent.subscription ? { renewalCard: testCard } : {};
    return this.#write({ ...intent, ...paidFields, ...renewal, losesAnswer, ...(delivery ? { delivery } : {}) });
  }

  #refuse(intent: GatewayIntent, reason: string): GatewayIntent {
    const refusals = intent.refusals + 1;
    const state = refusals >= MAX_REFUSALS ? 'failed' : 'open';
    return this.#write({ ...intent, state, reason, refusals, challenged: null });
  }

  #write(intent: GatewayIntent): GatewayIntent {
    this.#journal.append({ kind: 'intent', intent });
    const { state } = this.read(intent.id) ?? {};
    const storedIntent = this.#remember(intent);
    // A refund does not change the state, but sends a webhook as well.
    if (state !== intent.state || intent.refundedMinor !== undefined) this.#webhooks.deliver(intent);
    return storedIntent;
  }

  #remember(intent: GatewayIntent): GatewayIntent {
    this.#byId.set(intent.id, intent);
    this.#byReference.set(intent.reference, intent.id);
    return intent;
  }
}
