import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { readForAll } from '../database/caller-gone.ts';
import type { Database } from '../database/open.ts';
import type { Store } from '../stores/stores.ts';

/** Words of the names and people of a store's titles, with how many titles have each. */
export type Vocabulary = { word: string; titles: number; letters: number }[];

/** Words that one typed word may be meant for, at most. */
const MOST_NEAR = 8;
const MOST_STORES = 20;

/** The vocabularies of the stores that were searched last, each until its store changes. */
export class Vocabularies {
  readonly #kept = new LRUCache<string, { version: number; words: Promise<Vocabulary> }>({ max: MOST_STORES });

  of(db: Database, store: Store): Promise<Vocabulary> {
    const kept = this.#kept.get(store.id);
    if (kept?.version === store.version) return kept.words;
    const words = readForAll(() => read(db, store.id));
    this.#kept.set(store.id, { version: store.version, words });
    words.catch(() => this.#kept.delete(store.id));
    return words;
  }
}

async function read(db: Database, storeId: string): Promise<Vocabulary> {
  const { rows } = await sql<{ word: string; titles: number }>`
    select word, count(*)::int as titles
    from titles, unnest(tsvector_to_array(titles.search_names)) word
    where titles.store_id = ${storeId} and titles.offered and word !~ '^[0-9]+$'
    group by word`.execute(db);
  return rows.map((row) => ({ ...row, letters: lettersOf(row.word) }));
}

/** Which letters a word has, a bit for each, which some share. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let place = 0; place < word.length; place += 1) letters |= 1 << (word.charCodeAt(place) % 31);
  return letters;
}

/** How many bits of the first the second lacks: each is a letter that is not in the word, and so a mistake at least. */
function lacking(letters: number, others: number): number {
  let count = 0;
  for (let rest = letters & ~others; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Letters of a word that may be wrong: a short one with another letter is another word. */
const mistakesIn = (length: number): number => (length < 4 ? 0 : length < 8 ? 1 : 2);

/**
 * How many letters have to be changed, added, left out or swapped with their neighbour (optimal string alignment) to get
 * from a text to a word, and to the beginning of the word that is nearest; more than `most` are not counted.
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
 * The words that are nearest to one that may be misspelt, whole words before those that it only begins, common ones first;
 * none where the store has words that begin so.
 */
export function nearest(typed: string, vocabulary: Vocabulary): string[] {
  const most = mistakesIn(typed.length);
  if (most === 0 || vocabulary.some(({ word }) => word.startsWith(typed))) return [];
  const letters = lettersOf(typed);
  const found = vocabulary
    .filter((each) => each.word.length >= typed.length - most && lacking(letters, each.letters) <= most)
    .map(({ word, titles }) => {
      const { whole, beginning } = distances(typed, word.slice(0, typed.length + most + 1), most);
      return { word, titles, steps: whole <= most ? whole : most + beginning };
    })
    .filter(({ steps }) => steps <= 2 * most)
    .toSorted((a, b) => a.steps - b.steps || b.titles - a.titles || (a.word < b.word ? -1 : 1));
  const fewest = found[0]?.steps;
  return found
    .filter(({ steps }) => steps === fewest)
    .slice(0, MOST_NEAR)
    .map(({ word }) => word);
}
