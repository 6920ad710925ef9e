/**
 * Draws like from a shuffled pack: no item repeats until all have been drawn, nor twice in a row.
 */
export class Deck<T> {
  readonly #cards: readonly T[];
  readonly #random: () => number;
  #left: T[] = [];
  #last: T | undefined;

  constructor(cards: readonly T[], random: () => number) {
    if (cards.length < 2) throw new Error(`a deck needs at least two items, got ${cards.length}`);
    this.#cards = cards;
    this.#random = random;
  }

  deal(wanted: (card: T) => boolean = () => true): T {
    let at = this.#left.findIndex((card) => wanted(card) && card !== this.#last);
    if (at < 0) {
      this.#left = [...this.#left, ...this.#shuffled()];
      at = this.#left.findIndex((card) => wanted(card) && card !== this.#last);
    }
    const [card] = this.#left.splice(at, 1);
    if (at < 0 || card === undefined) throw new Error('no item of the deck is accepted');
    this.#last = card;
    return card;
  }

  #shuffled(): T[] {
    const cards = [...this.#cards];
    for (let i = cards.length - 1; i > 0; i--) {
      const j = Math.floor(this.#random() * (i + 1));
      [cards[i], cards[j]] = [cards[j] as T, cards[i] as T];
    }
    return cards;
  }
}
