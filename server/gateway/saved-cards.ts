import type { SavedCard, TestCard } from './cards.ts';
import type { Journal } from './journal.ts';

type SavedTestCard = { customer: string; testCard: TestCard; card: SavedCard };

/** Stores customers' saved cards by their tokens. */
export class SavedCards {
  readonly #journal: Journal;
  readonly #byToken = new Map<string, SavedTestCard>();

  constructor(journal: Journal) {
    this.#journal = journal;
    for (const entry of journal.entries()) {
      if (entry.kind === 'card') this.#byToken.set(entry.card.token, entry);
      if (entry.kind === 'forgotten') this.#byToken.delete(entry.token);
    }
  }

  find(token: string): SavedTestCard | undefined {
    return this.#byToken.get(token);
  }

  /** Saves a card. @returns the card, with the older tokens of the same card for this customer */
  save(customer: string, testCard: TestCard, card: SavedCard): SavedCard {
    const isSame = (storedCard: SavedTestCard) =>
      storedCard.customer === customer && storedCard.card.token !== card.token && storedCard.testCard === testCard;
    const replaces = [...this.#byToken.values()].filter(isSame).map((storedCard) => storedCard.card.token);
    const entry = { kind: 'card', customer, testCard, card: { ...card, replaces } } as const;
    this.#journal.append(entry);
    this.#byToken.set(card.token, entry);
    return entry.card;
  }

  /** Deletes a card; idempotent. */
  forget(token: string): void {
    if (!this.#byToken.has(token)) return;
    this.#journal.append({ kind: 'forgotten', token });
    this.#byToken.delete(token);
  }
}
