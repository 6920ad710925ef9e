import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { loadOnce } from '../base/load-once.ts';

/** Common passwords of at least this many characters are recognised within digits and signs. */
const MIN_STEM_CHARS = 8;

/** Guesses below which a password is refused: zxcvbn's score 2 begins here. */
const MIN_GUESSES = 1_000_000;

/** Characters that zxcvbn looks at: the time that a check takes grows with them, to 20 ms. */
const MAX_CHECKED_CHARS = 32;

/**
 * Minimum characters of a word of an address or a shop's name; shorter ones are in good passwords.
 */
const MIN_WORD_CHARS = 4;

type Checker = { zxcvbn: ZxcvbnFactory; common: ReadonlySet<string> };

/**
 * Loads the checker with the first new password. Source of the lists: zxcvbn-ts (MIT), from leaks.
 */
const loadChecker = loadOnce(async (): Promise<Checker> => {
  const [{ ZxcvbnFactory }, { adjacencyGraphs: graphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return {
    zxcvbn: new ZxcvbnFactory({ dictionary, graphs, maxLength: MAX_CHECKED_CHARS }),
    common: new Set(dictionary['passwords-common'].filter((word) => word.length >= MIN_STEM_CHARS)),
  };
});

/** A text without capitals, accents, and the differences of compatible characters. */
const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Returns the block that a text consists of repeatedly, such as `ab` of `abab`, else the text. */
const collapseRepeats = (text: string): string => text.replace(/^(.+?)\1+$/u, '$1');

/** Two stems of a folded text, without repeats: its letters and digits, and without digits. */
const toStems = (folded: string): string[] =>
  [/[^\p{L}\p{N}]/gu, /\P{L}/gu]
    .map((separators) => collapseRepeats(folded.replaceAll(separators, '')))
    .filter((stem) => stem !== '');

/** A text's stems and the words in it, folded. */
function toWords(text: string): string[] {
  const folded = fold(text);
  return [...toStems(folded), ...folded.split(/\P{L}+/u).filter((word) => word.length >= MIN_WORD_CHARS)];
}

export type GuessableReason = 'common_password' | 'simple_password' | 'password_is_email' | 'password_is_shop';

/**
 * The reason why a password is one of the first guesses: it is the account's address, its part
 * before the @, or the shop's name, or a word of these; many people have it; or it is a short
 * pattern (repeats, runs, keyboard rows, dates). Digits and signs around it make no difference.
 * @param email empty where the account has none
 * @param shopNames in all languages
 */
export async function findGuessableReason(
  password: string,
  { email, shopNames }: { email: string; shopNames: readonly string[] },
): Promise<GuessableReason | null> {
  const { zxcvbn, common } = await loadChecker();
  const emailWords = [...toStems(fold(email)), ...toWords(email.slice(0, Math.max(0, email.lastIndexOf('@'))))];
  const shopWords = shopNames.flatMap(toWords);
  const folded = fold(password);
  const stems = toStems(folded);
  if (stems.some((stem) => emailWords.includes(stem))) return 'password_is_email';
  if (stems.some((stem) => shopWords.includes(stem))) return 'password_is_shop';
  if (stems.some((stem) => common.has(stem))) return 'common_password';
  const { guesses, sequence } = zxcvbn.check(folded, [...emailWords, ...shopWords]);
  if (guesses >= MIN_GUESSES) return null;
  const tokens = new Set(sequence.map(({ token }) => token));
  if (emailWords.some((word) => tokens.has(word))) return 'password_is_email';
  if (shopWords.some((word) => tokens.has(word))) return 'password_is_shop';
  return sequence.some(({ pattern }) => pattern === 'dictionary') ? 'common_password' : 'simple_password';
}
