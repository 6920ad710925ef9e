import { randomBytes } from 'node:crypto';
import { type CardDetails, type SavedCard, MAX_REFUSALS, getOutcome, findTestCard, toSavedCard } from './cards.ts';
import type { Journal } from './journal.ts';
import type { SavedCards } from './saved-cards.ts';
import type { Setup } from './setup.ts';
import type { ShopTime } from './shop-time.ts';
import type { Subscriptions } from './subscriptions.ts';

export type NewSetup = Pick<Setup, 'customer' | 'subscription' | 'shopName' | 'returnUrl' | 'language'>;

/** Time in ms to enter the card, and then to claim it. */
const SETUP_LIFETIME_MS = 60 * 60_000;

/**
 * Stores the gateway's setups of saved cards. Every change is in the journal before the response is
 * sent.
 */
export class Setups {
  readonly #journal: Journal;
  readonly #cards: SavedCards;
  readonly #subscriptions: Subscriptions;
  readonly #time: ShopTime;
  readonly #byId = new Map<string, Setup>();
  readonly #byToken = new Map<string, string>();

  constructor(journal: Journal, dependencies: { cards: SavedCards; subscriptions: Subscriptions; time: ShopTime }) {
    this.#journal = journal;
    this.#cards = dependencies.cards;
    this.#subscriptions = dependencies.subscriptions;
    this.#time = dependencies.time;
    for (const entry of journal.entries()) if (entry.kind === 'setup') this.#remember(entry.setup);
  }

  read(id: string): Setup | undefined {
    const setup = this.#byId.get(id);
    return setup && setup.expiresAt <= this.#time.now() ? { ...setup, state: 'expired' } : setup;
  }

  create(request: NewSetup): Setup {
    const id = `seti_${randomBytes(16).toString('hex')}`;
    const initialFields = { state: 'open', reason: null, refusals: 0, tried: null, token: null, losesAnswer: false } as const;
    return this.#write({
      ...request,
      ...initialFields,
      id,
      expiresAt: this.#time.now() + SETUP_LIFETIME_MS,
      ...this.#time.stamp(),
    });
  }

  /**
   * Tries a card. After a declined card the setup stays open for another card, until
   * `MAX_REFUSALS` cards are declined.
   */
  tryCard(setup: Setup, details: CardDetails): Setup {
    if (setup.state !== 'open') return setup;
    const testCard = findTestCard(details.number);
    const outcome = getOutcome(testCard);
    if (outcome.kind === 'refused') return this.#refuse(setup, outcome.reason);
    const cardAttempt = { testCard, card: toSavedCard(details) };
    if (outcome.kind === 'challenge') return this.#write({ ...setup, state: 'action_required', tried: cardAttempt });
    return this.#finish({ ...setup, tried: cardAttempt, losesAnswer: outcome.losesAnswer });
  }

  /** Handles the answer on the bank's page. */
  answerChallenge(setup: Setup, isApproved: boolean): Setup {
    if (setup.state !== 'action_required') return setup;
    return isApproved ? this.#finish(setup) : this.#refuse(setup, 'authentication_failed');
  }

  cancel(setup: Setup): Setup {
    const isLive = setup.state === 'open' || setup.state === 'action_required';
    return isLive ? this.#write({ ...setup, state: 'cancelled', tried: null }) : setup;
  }

  /**
   * Returns the card of a customer's setup to the store; idempotent.
   * @returns undefined for another customer's token, an expired one, and one whose card was deleted
   */
  claim(token: string, customer: string): { card: SavedCard; answerIsLost: boolean } | undefined {
    const setup = this.read(this.#byToken.get(token) ?? '');
    if (setup?.customer !== customer || !setup.tried) return undefined;
    const { card, testCard } = setup.tried;
    if (setup.state === 'claimed') return this.#cards.find(card.token) && { card, answerIsLost: false };
    if (setup.state !== 'ready') return undefined;
    const savedCard = this.#cards.save(customer, testCard, card);
    this.#write({ ...setup, state: 'claimed', tried: { testCard, card: savedCard }, losesAnswer: false });
    return { card: savedCard, answerIsLost: setup.losesAnswer };
  }

  #finish(setup: Setup): Setup {
    if (setup.subscription !== undefined) {
      this.#subscriptions.changeCard(setup.subscription, setup.tried?.testCard ?? null);
      return this.#write({ ...setup, state: 'claimed', reason: null, tried: null });
    }
    const token = `setup_${randomBytes(24).toString('base64url')}`;
    return this.#write({ ...setup, state: 'ready', reason: null, token, expiresAt: this.#time.now() + SETUP_LIFETIME_MS });
  }

  #refuse(setup: Setup, reason: string): Setup {
    const refusals = setup.refusals + 1;
    const state = refusals >= MAX_REFUSALS ? 'failed' : 'open';
    return this.#write({ ...setup, state, reason, refusals, tried: null });
  }

  #write(setup: Setup): Setup {
    this.#journal.append({ kind: 'setup', setup });
    return this.#remember(setup);
  }

  #remember(setup: Setup): Setup {
    this.#byId.set(setup.id, setup);
    if (setup.token !== null) this.#byToken.set(setup.token, setup.id);
    return setup;
  }
}
