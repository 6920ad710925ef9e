import type { NewCategory } from '../../server/setup/save-store.ts';
import type { NewTitle } from '../../server/setup/save-title.ts';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables = 'ba ce di fo gu har lan mer nor pel qui ros sal tem vin wes yar zel'.split(' ');
const commonWords = ['the', 'of', 'and', 'in', 'a'];
const WORD_COUNT = 4000;

/** The word with this frequency rank: words of low rank occur nearly everywhere, most are rare. */
export const createWord = (rank: number): string => {
  const parts = [rank % 18, Math.floor(rank / 18) % 18, Math.floor(rank / 324) % 18];
  return parts
    .slice(0, rank < 324 ? 2 : 3)
    .map((part) => syllables[part] ?? '')
    .join('');
};
const drawRank = (random: number): number => Math.floor(WORD_COUNT ** random) - 1;

/** Ten categories with five below each, and four below each of those. */
export const categories: NewCategory[] = Array.from({ length: 10 }, (_, root) => [
  { id: `c${root}`, name: `Category ${root}` },
  ...Array.from({ length: 5 }, (_each, middle) => [
    { id: `c${root}-${middle}`, name: `Category ${root} ${middle}`, parentId: `c${root}` },
    ...Array.from({ length: 4 }, (_leaf, leaf) => ({
      id: `c${root}-${middle}-${leaf}`,
      name: `Category ${root} ${middle} ${leaf}`,
      parentId: `c${root}-${middle}`,
    })),
  ]).flat(),
]).flat();

const drawCategory = (random: number): string => {
  const index = Math.floor(random ** 3 * 200);
  return `c${Math.floor(index / 20)}-${Math.floor(index / 4) % 5}-${index % 4}`;
};

const media = ['epub', 'epub', 'epub', 'epub', 'pdf', 'pdf', 'audio', 'audio', 'video'] as const;

const languages = ['en', 'en', 'en', 'en-GB', 'fr', 'en', 'es', 'en', 'zh-Hans', 'it'];

/**
 * `count` titles whose names, authors, prices and categories are as uneven as those of a real
 * store.
 */
export function createTitles(count: number): NewTitle[] {
  const random = createRandom(7);
  const day = Date.UTC(2020, 0, 1);
  return Array.from({ length: count }, (_, index) => {
    const words = Array.from({ length: 2 + Math.floor(random() * 4) }, () => createWord(drawRank(random())));
    const article = commonWords[Math.floor(random() * 12)];
    const cents = random() < 0.04 ? 0 : 99 + 100 * Math.floor(random() ** 2 * 40);
    return {
      id: `t${index}`,
      medium: index % 200 === 0 ? 'interactive' : (media[Math.floor(random() * media.length)] ?? 'epub'),
      name: [article, ...words].filter((each) => each !== undefined).join(' '),
      authors: [`${createWord(drawRank(random()))} ${createWord(Math.floor(random() * WORD_COUNT))}`],
      language: languages[index % languages.length] ?? 'en',
      description: `<p>${words.join(' ')}</p>`.repeat(4),
      popularity: Math.floor(random() ** 4 * 10_000),
      addedAt: new Date(day + index * 60_000),
      prices: [{ amount: cents / 100, currency: 'USD' }],
      categories: [...new Set([drawCategory(random()), drawCategory(random())])],
    };
  });
}
