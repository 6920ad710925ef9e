import { randomBytes } from 'node:crypto';
import { type CardDetails, type KeptCard, MOST_REFUSALS, outcomeOf, testCardOf, toKeptCard } from './cards.ts';
import type { Journal } from './journal.ts';
import type { KeptCards } from './kept-cards.ts';
import type { Setup } from './setup.ts';
import type { ShopTime } from './shop-time.ts';
import type { Subscriptions } from './subscriptions.ts';

export type NewSetup = Pick<Setup, 'customer' | 'subscription' | 'shopName' | 'returnUrl' | 'language'>;

/** Milliseconds for which a page waits for its card, and then the card for its store. */
const LIFETIME = 60 * 60_000;

/** The gateway's book of cards that are to be kept. Every change is in the journal before it is answered. */
export class Setups {
  readonly #journal: Journal;
  readonly #cards: KeptCards;
  readonly #subscriptions: Subscriptions;
  readonly #time: ShopTime;
  readonly #byId = new Map<string, Setup>();
  readonly #byToken = new Map<string, string>();

  constructor(journal: Journal, around: { cards: KeptCards; subscriptions: Subscriptions; time: ShopTime }) {
    this.#journal = journal;
    this.#cards = around.cards;
    this.#subscriptions = around.subscriptions;
    this.#time = around.time;
    for (const entry of journal.entries()) if (entry.kind === 'setup') this.#remember(entry.setup);
  }

  read(id: string): Setup | undefined {
    const setup = this.#byId.get(id);
    return setup && setup.expiresAt <= this.#time.now() ? { ...setup, state: 'expired' } : setup;
  }

  create(request: NewSetup): Setup {
    const id = `seti_${randomBytes(16).toString('hex')}`;
    const fresh = { state: 'open', reason: null, refusals: 0, tried: null, token: null, losesAnswer: false } as const;
    return this.#write({ ...request, ...fresh, id, expiresAt: this.#time.now() + LIFETIME, ...this.#time.stamp() });
  }

  /** Tries a card. A refused one leaves the setup open for another, until five have been refused. */
  tryCard(setup: Setup, details: CardDetails): Setup {
    if (setup.state !== 'open') return setup;
    const testCard = testCardOf(details.number);
    const outcome = outcomeOf(testCard);
    if (outcome.kind === 'refused') return this.#refuse(setup, outcome.reason);
    const tried = { testCard, card: toKeptCard(details) };
    if (outcome.kind === 'challenge') return this.#write({ ...setup, state: 'action_required', tried });
    return this.#finish({ ...setup, tried, losesAnswer: outcome.losesAnswer });
  }

  /** What the bank's page said. */
  answerChallenge(setup: Setup, approved: boolean): Setup {
    if (setup.state !== 'action_required') return setup;
    return approved ? this.#finish(setup) : this.#refuse(setup, 'authentication_failed');
  }

  cancel(setup: Setup): Setup {
    const isLive = setup.state === 'open' || setup.state === 'action_required';
    return isLive ? this.#write({ ...setup, state: 'cancelled', tried: null }) : setup;
  }

  /**
   * Gives the store the card of its customer's setup; the same card when it asks again.
   * @returns undefined for another customer's token, one that has expired, and one whose card has been forgotten
   */
  claim(token: string, customer: string): { card: KeptCard; answerIsLost: boolean } | undefined {
    const setup = this.read(this.#byToken.get(token) ?? '');
    if (setup?.customer !== customer || !setup.tried) return undefined;
    const { card, testCard } = setup.tried;
    if (setup.state === 'claimed') return this.#cards.find(card.token) && { card, answerIsLost: false };
    if (setup.state !== 'ready') return undefined;
    const kept = this.#cards.keep(customer, testCard, card);
    this.#write({ ...setup, state: 'claimed', tried: { testCard, card: kept }, losesAnswer: false });
    return { card: kept, answerIsLost: setup.losesAnswer };
  }

  #finish(setup: Setup): Setup {
    if (setup.subscription !== undefined) {
      this.#subscriptions.changeCard(setup.subscription, setup.tried?.testCard ?? null);
      return this.#write({ ...setup, state: 'claimed', reason: null, tried: null });
    }
    const token = `setup_${randomBytes(24).toString('base64url')}`;
    return this.#write({ ...setup, state: 'ready', reason: null, token, expiresAt: this.#time.now() + LIFETIME });
  }

  #refuse(setup: Setup, reason: string): Setup {
    const refusals = setup.refusals + 1;
    const state = refusals >= MOST_REFUSALS ? 'failed' : 'open';
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
