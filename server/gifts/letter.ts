import { holdsLink } from '../../machines/model/links.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import type { LanguageCode } from '../base/language.ts';
import { giftWords } from './letter-words.ts';

/** What the letter of a gift says: paragraphs before the link and after it. The preview shows the same. */
export type GiftLetter = { subject: string; before: string[]; link: string; after: string[] };

type Gift = {
  language: LanguageCode;
  shop: string;
  /** empty for who has given none */
  giver: string;
  name: string;
  /** its titles, one or more */
  titles: readonly string[];
  message: string;
};

/** Longer ones crowd out what else a subject says. */
const LONGEST_GIVER = 80;

/** Writes the letter of a gift, in the words of the giver's language. */
export function giftLetter({ language, shop, giver, name, titles, message }: Gift): GiftLetter {
  const words = giftWords[language];
  const known: Record<string, string> = {
    shop,
    giver: giver.slice(0, LONGEST_GIVER).toWellFormed() || words.nobody,
    name,
    title: titles[0] ?? '',
    count: new Intl.NumberFormat(language).format(titles.length),
  };
  const isOne = titles.length < 2;
  // In one go: what is put in is not read again.
  const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (whole, field: string) => known[field] ?? whole);
  return {
    subject: filled(words.subject),
    before: [
      filled(words.hello),
      filled(isOne ? words.greeting : words.several),
      ...(isOne ? [] : [titles.join('\n')]),
      ...(message === '' ? [] : [message]),
    ],
    link: words.link,
    after: [isOne ? words.keep : words.keepAll, words.why].map(filled),
  };
}

async function nameOf(db: Database, storeId: string, userId: string): Promise<string> {
  const user = await db
    .selectFrom('users')
    .select('name')
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.name.trim() ?? '';
}

/**
 * A customer's name as the recipients of their gifts read it; empty where they have none, are gone,
 * or the name holds a link.
 */
export async function giverName(db: Database, storeId: string, userId: string): Promise<string> {
  const name = await nameOf(db, storeId, userId);
  return holdsLink(name) ? '' : name;
}

/**
 * @throws DomainError conflict giver_link for a customer whose name holds a web or e-mail address,
 * which they change before they give
 */
export async function requireNameWithoutLink(db: Database, storeId: string, userId: string): Promise<void> {
  if (holdsLink(await nameOf(db, storeId, userId)))
    throw new DomainError('conflict', 'Your own name holds a web or e-mail address; change it before you give.', {
      code: 'giver_link',
    });
}
