import type { KeptCard, TestCard } from './cards.ts';
import type { Journal } from './journal.ts';

type Kept = { customer: string; testCard: TestCard; card: KeptCard };

/** The cards that the gateway keeps for the customers of stores, by their tokens. */
export class KeptCards {
  readonly #journal: Journal;
  readonly #byToken = new Map<string, Kept>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const entry of journal.entries()) {
      if (entry.kind === 'card') this.#byToken.set(entry.card.token, entry);
      if (entry.kind === 'forgotten') this.#byToken.delete(entry.token);
    }
  }

  find(token: string): Kept | undefined {
    return this.#byToken.get(token);
  }

  /** Keeps a card. @returns it, with the tokens that it had for this customer before */
  keep(customer: string, testCard: TestCard, card: KeptCard): KeptCard {
    const isSame = (other: Kept) => other.customer === customer && other.card.token !== card.token && other.testCard === testCard;
    const replaces = [...this.#byToken.values()].filter(isSame).map((other) => other.card.token);
    const entry = { kind: 'card', customer, testCard, card: { ...card, replaces } } as const;
    this.#journal.append(entry);
    this.#byToken.set(card.token, entry);
    return entry.card;
  }

  /** Forgets a card; one that is not kept is forgotten already. */
  forget(token: string): void {
    if (!this.#byToken.has(token)) return;
    this.#journal.append({ kind: 'forgotten', token });
    this.#byToken.delete(token);
  }
}
