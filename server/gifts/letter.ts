import { holdsLink } from '../../machines/model/store/links.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import type { LanguageCode } from '../base/language.ts';
import { type Translator, translatorTo } from '../base/words.ts';

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

/** How a giver without a name is called. */
export const namelessGiver = (i18n: Translator): string => i18n.t('A friend');

/**
 * Writes the e-mail of a gift, in the giver's language. Its subject begins with the shop: the
 * giver's name alone could pass for another sender's.
 */
export function giftLetter({ language, shop, giver: fullName, name, titles, message }: Gift): GiftLetter {
  const i18n = translatorTo(language);
  const giver = fullName.slice(0, LONGEST_GIVER).toWellFormed() || namelessGiver(i18n);
  const [title = ''] = titles;
  const isOne = titles.length < 2;
  return {
    subject: i18n.t('{shop}: {giver} has sent you a gift', { shop, giver }),
    before: [
      i18n.t('Hello {name},', { name }),
      ...(isOne
        ? [i18n.t('{giver} is giving you “{title}” from {shop}.', { giver, title, shop })]
        : [severalTitles(i18n, { giver, count: titles.length, shop }), titles.join('\n')]),
      ...(message === '' ? [] : [message]),
    ],
    link: i18n.t('Open your gift'),
    after: [
      isOne
        ? i18n.t('The link is for you alone and works once. To keep the title, sign in or make a free account.')
        : i18n.t(
            'The link is for you alone, opens all of them, and works once. To keep the titles, sign in or make a free account.',
          ),
      i18n.t('You got this email because {giver} entered your address at {shop}. We won’t write to you for anything else.', {
        giver,
        shop,
      }),
    ],
  };
}

/** The names of the titles follow on lines of their own. */
const severalTitles = (i18n: Translator, values: { giver: string; count: number; shop: string }): string =>
  i18n.t(
    '{count, plural, one {{giver} is giving you # title from {shop}:} other {{giver} is giving you # titles from {shop}:}}',
    values,
  );

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
