/**
 * Common passwords of 8 characters or more, in lower case; loaded with the first new password.
 * Source: the password list of zxcvbn-ts (MIT), made from leaked passwords.
 */
let common: Promise<ReadonlySet<string>> | undefined;

const MIN_CHARS = 8;

async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= MIN_CHARS));
}

/** Whether many people have this password, ignoring case. */
export async function isCommon(password: string): Promise<boolean> {
  common ??= loadCommon();
  return (await common).has(password.trim().normalize('NFKC').toLowerCase());
}

/** A text's letters and digits, and the same without the digits at its end; empty ones are left out. */
function stems(text: string): string[] {
  const folded = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
  return [folded, folded.replace(/\p{N}+$/u, '')].filter((stem) => stem !== '');
}

/** Whether a password is one of the words but for capitals, spaces, signs, and digits at its end. */
export function isLike(password: string, words: string[]): boolean {
  const known = new Set(words.flatMap(stems));
  return stems(password).some((stem) => known.has(stem));
}
