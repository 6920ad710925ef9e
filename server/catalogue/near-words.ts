import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { readForAll } from '../database/caller-gone.ts';
import type { Database } from '../database/open.ts';
import type { Store } from '../stores/stores.ts';

/** Words in the names and people of a store's titles, with the number of titles for each. */
export type Vocabulary = { word: string; titles: number; letters: number }[];

/** Maximum number of corrections for a typed word. */
const MAX_NEAR_WORDS = 8;
const MAX_STORES = 20;

/** Cached vocabularies of the stores that were searched last, each until its store changes. */
export class Vocabularies {
  readonly #kept = new LRUCache<string, { version: number; words: Promise<Vocabulary> }>({ max: MAX_STORES });

  getOrRead(db: Database, store: Store): Promise<Vocabulary> {
    const kept = this.#kept.get(store.id);
    if (kept?.version === store.version) return kept.words;
    const words = readForAll(() => readVocabulary(db, store.id));
    this.#kept.set(store.id, { version: store.version, words });
    words.catch(() => this.#kept.delete(store.id));
    return words;
  }
}

async function readVocabulary(db: Database, storeId: string): Promise<Vocabulary> {
  const { rows } = await sql<{ word: string; titles: number }>`
    select word, count(*)::int as titles
    from titles, unnest(tsvector_to_array(titles.search_names)) word
    where titles.store_id = ${storeId} and titles.offered and word !~ '^[0-9]+$'
    group by word`.execute(db);
  return rows.map((row) => ({ ...row, letters: toLetterBits(row.word) }));
}

/** The characters of a word as a bit set; some characters share a bit. */
function toLetterBits(word: string): number {
  let letters = 0;
  for (let place = 0; place < word.length; place += 1) letters |= 1 << (word.charCodeAt(place) % 31);
  return letters;
}

/**
 * The number of bits in the first set that the second lacks: each is a character missing in the
 * word, so at least one mistake.
 */
function countMissingLetters(letters: number, others: number): number {
  let count = 0;
  for (let rest = letters & ~others; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Mistakes allowed in a word: changing one character of a short word makes another word. */
const allowedMistakes = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/**
 * The optimal string alignment distance (characters changed, added, left out or swapped with
 * their neighbour) from a text to a word, and to the closest prefix of the word; distances above
 * `most` are not computed.
 */
function distances(text: string, word: string, most: number): { whole: number; beginning: number } {
  let before: number[] = [];
  let last = Array.from({ length: text.length + 1 }, (_, place) => place);
  let beginning = text.length;
  for (let row = 1; row <= word.length; row += 1) {
    const next = [row];
    let fewest = row;
    for (let place = 1; place <= text.length; place += 1) {
      const same = text[place - 1] === word[row - 1];
      const swapped = place > 1 && row > 1 && text[place - 1] === word[row - 2] && text[place - 2] === word[row - 1];
      const added = Math.min(last[place] ?? 0, next[place - 1] ?? 0) + 1;
      const changed = (last[place - 1] ?? 0) + (same ? 0 : 1);
      const steps = Math.min(added, changed, swapped ? (before[place - 2] ?? 0) + 1 : changed);
      next.push(steps);
      if (steps < fewest) fewest = steps;
    }
    beginning = Math.min(beginning, next[text.length] ?? beginning);
    if (fewest > most) return { whole: Infinity, beginning };
    before = last;
    last = next;
  }
  return { whole: last[text.length] ?? Infinity, beginning };
}

/**
 * The words closest to one that may be misspelt: whole words before prefixes, common ones first;
 * empty where some word of the store starts with it.
 */
export function findNearWords(typed: string, vocabulary: Vocabulary): string[] {
  const most = allowedMistakes(typed.length);
  if (most === 0 || vocabulary.some(({ word }) => word.startsWith(typed))) return [];
  const letters = toLetterBits(typed);
  const found = vocabulary
    .filter((each) => each.word.length >= typed.length - most && countMissingLetters(letters, each.letters) <= most)
    .map(({ word, titles }) => {
      const { whole, beginning } = distances(typed, word.slice(0, typed.length + most + 1), most);
      return { word, titles, steps: whole <= most ? whole : most + beginning };
    })
    .filter(({ steps }) => steps <= 2 * most)
    .toSorted((a, b) => a.steps - b.steps || b.titles - a.titles || (a.word < b.word ? -1 : 1));
  const fewest = found[0]?.steps;
  return found
    .filter(({ steps }) => steps === fewest)
    .slice(0, MAX_NEAR_WORDS)
    .map(({ word }) => word);
}
