/**
 * Deals items as from a shuffled pack, never the same one twice in a row; another pack is added
 * when no accepted item remains.
 */
export class Deck<T> {
  readonly #cards: readonly T[];
  readonly #random: () => number;
  #remaining: T[] = [];
  #last: T | undefined;

  constructor(cards: readonly T[], random: () => number) {
    if (cards.length < 2) throw new Error(`a deck needs at least two items, got ${cards.length}`);
    this.#cards = cards;
    this.#random = random;
  }

  deal(isAccepted: (card: T) => boolean = () => true): T {
    let index = this.#remaining.findIndex((card) => isAccepted(card) && card !== this.#last);
    if (index < 0) {
      this.#remaining = [...this.#remaining, ...this.#shuffle()];
      index = this.#remaining.findIndex((card) => isAccepted(card) && card !== this.#last);
    }
    const [card] = this.#remaining.splice(index, 1);
    if (index < 0 || card === undefined)
      throw new Error(`none of the deck’s ${this.#cards.length} items is accepted, apart from the last one dealt`);
    this.#last = card;
    return card;
  }

  #shuffle(): T[] {
    const cards = [...this.#cards];
    for (let i = cards.length - 1; i > 0; i--) {
      const j = Math.floor(this.#random() * (i + 1));
      [cards[i], cards[j]] = [cards[j] as T, cards[i] as T];
    }
    return cards;
  }
}
