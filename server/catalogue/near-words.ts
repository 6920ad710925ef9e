import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { readForAll } from '../database/cancel-reads.ts';
import type { Database } from '../database/open.ts';
import type { Store } from '../stores/stores.ts';

/**
 * Words in the names and people of a store's titles, with the number of titles for each, and its
 * characters as a bit set (`letters`).
 */
export type Vocabulary = { word: string; titles: number; letters: number }[];

/** Maximum number of corrections for a typed word. */
const MAX_NEAR_WORDS = 8;
const MAX_STORES = 20;

/** Cached vocabularies of the stores that were searched last, each until its store changes. */
export class Vocabularies {
  readonly #vocabularies = new LRUCache<string, { version: number; words: Promise<Vocabulary> }>({ max: MAX_STORES });

  getOrRead(db: Database, store: Store): Promise<Vocabulary> {
    const cachedVocabulary = this.#vocabularies.get(store.id);
    if (cachedVocabulary?.version === store.version) return cachedVocabulary.words;
    const words = readForAll(() => readVocabulary(db, store.id));
    this.#vocabularies.set(store.id, { version: store.version, words });
    words.catch(() => this.#vocabularies.delete(store.id));
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
  for (let index = 0; index < word.length; index += 1) letters |= 1 << (word.charCodeAt(index) % 31);
  return letters;
}

/**
 * The number of bits in the first set that the second lacks: each is a character missing in the
 * word, so at least one mistake.
 */
function countMissingLetters(letters: number, otherLetters: number): number {
  let count = 0;
  for (let missingBits = letters & ~otherLetters; missingBits !== 0; missingBits &= missingBits - 1) count += 1;
  return count;
}

/** Mistakes allowed in a word: changing one character of a short word makes another word. */
const getAllowedMistakes = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/**
 * The optimal string alignment distance (characters changed, added, left out or swapped with
 * their neighbour) from a text to a word, and to the closest prefix of the word; distances above
 * `maxDistance` are not computed.
 */
function computeDistances(text: string, word: string, maxDistance: number): { toWord: number; toPrefix: number } {
  let secondLastRow: number[] = [];
  let lastRow = Array.from({ length: text.length + 1 }, (_, index) => index);
  let prefixDistance = text.length;
  for (let row = 1; row <= word.length; row += 1) {
    const nextRow = [row];
    let minSteps = row;
    for (let index = 1; index <= text.length; index += 1) {
      const isSame = text[index - 1] === word[row - 1];
      const isSwapped = index > 1 && row > 1 && text[index - 1] === word[row - 2] && text[index - 2] === word[row - 1];
      const insertOrDeleteSteps = Math.min(lastRow[index] ?? 0, nextRow[index - 1] ?? 0) + 1;
      const substituteSteps = (lastRow[index - 1] ?? 0) + (isSame ? 0 : 1);
      const steps = Math.min(
        insertOrDeleteSteps,
        substituteSteps,
        isSwapped ? (secondLastRow[index - 2] ?? 0) + 1 : substituteSteps,
      );
      nextRow.push(steps);
      if (steps < minSteps) minSteps = steps;
    }
    prefixDistance = Math.min(prefixDistance, nextRow[text.length] ?? prefixDistance);
    if (minSteps > maxDistance) return { toWord: Infinity, toPrefix: prefixDistance };
    secondLastRow = lastRow;
    lastRow = nextRow;
  }
  return { toWord: lastRow[text.length] ?? Infinity, toPrefix: prefixDistance };
}

/**
 * The words closest to a typed word that may be misspelt: whole words before prefixes, common words
 * first; empty where the typed word is short, or some word of the store starts with it.
 */
export function findNearWords(typed: string, vocabulary: Vocabulary): string[] {
  const maxMistakes = getAllowedMistakes(typed.length);
  if (maxMistakes === 0 || vocabulary.some(({ word }) => word.startsWith(typed))) return [];
  const letters = toLetterBits(typed);
  const candidates = vocabulary
    .filter((each) => each.word.length >= typed.length - maxMistakes && countMissingLetters(letters, each.letters) <= maxMistakes)
    .map(({ word, titles }) => {
      const { toWord, toPrefix } = computeDistances(typed, word.slice(0, typed.length + maxMistakes + 1), maxMistakes);
      return { word, titles, steps: toWord <= maxMistakes ? toWord : maxMistakes + toPrefix };
    })
    .filter(({ steps }) => steps <= 2 * maxMistakes)
    .toSorted((a, b) => a.steps - b.steps || b.titles - a.titles || (a.word < b.word ? -1 : 1));
  const minSteps = candidates[0]?.steps;
  return candidates
    .filter(({ steps }) => steps === minSteps)
    .slice(0, MAX_NEAR_WORDS)
    .map(({ word }) => word);
}
