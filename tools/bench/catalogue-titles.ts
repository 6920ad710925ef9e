import type { NewCategory } from '../../server/setup/save-store.ts';
import type { NewTitle } from '../../server/setup/save-title.ts';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const syllables = 'ba ce di fo gu har lan mer nor pel qui ros sal tem vin wes yar zel'.split(' ');
const common = ['the', 'of', 'and', 'in', 'a'];
const countOfWords = 4000;

/** Words as in a language: a few stand nearly everywhere, most are rare. */
export const word = (place: number): string => {
  const parts = [place % 18, Math.floor(place / 18) % 18, Math.floor(place / 324) % 18];
  return parts
    .slice(0, place < 324 ? 2 : 3)
    .map((part) => syllables[part] ?? '')
    .join('');
};
const rank = (random: number): number => Math.floor(countOfWords ** random) - 1;

/** Ten categories with five below each and four below these. */
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

const leafOf = (random: number): string => {
  const place = Math.floor(random ** 3 * 200);
  return `c${Math.floor(place / 20)}-${Math.floor(place / 4) % 5}-${place % 4}`;
};

const media = ['epub', 'epub', 'epub', 'epub', 'pdf', 'pdf', 'audio', 'audio', 'video'] as const;

const languages = ['en', 'en', 'en', 'en-GB', 'fr', 'en', 'es', 'en', 'zh-Hans', 'it'];

/** As many titles as a store of that size has, with names, authors, prices and categories as uneven as real ones. */
export function titlesOf(count: number): NewTitle[] {
  const random = chance(7);
  const day = Date.UTC(2020, 0, 1);
  return Array.from({ length: count }, (_, place) => {
    const words = Array.from({ length: 2 + Math.floor(random() * 4) }, () => word(rank(random())));
    const article = common[Math.floor(random() * 12)];
    const cents = random() < 0.04 ? 0 : 99 + 100 * Math.floor(random() ** 2 * 40);
    return {
      id: `t${place}`,
      medium: place % 200 === 0 ? 'interactive' : (media[Math.floor(random() * media.length)] ?? 'epub'),
      name: [article, ...words].filter((each) => each !== undefined).join(' '),
      authors: [`${word(rank(random()))} ${word(Math.floor(random() * countOfWords))}`],
      language: languages[place % languages.length] ?? 'en',
      description: `<p>${words.join(' ')}</p>`.repeat(4),
      popularity: Math.floor(random() ** 4 * 10_000),
      addedAt: new Date(day + place * 60_000),
      prices: [{ amount: cents / 100, currency: 'USD' }],
      categories: [...new Set([leafOf(random()), leafOf(random())])],
    };
  });
}
