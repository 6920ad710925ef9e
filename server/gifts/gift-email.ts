import { containsLink } from '../../machines/model/store/links.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import type { LanguageCode } from '../base/language.ts';
import { type Translator, getTranslator } from '../base/words.ts';

/** A gift's e-mail: paragraphs before and after the link. The preview shows the same. */
export type GiftEmail = { subject: string; before: string[]; link: string; after: string[] };

type Gift = {
  language: LanguageCode;
  shop: string;
  /** empty if the giver has no name */
  giver: string;
  name: string;
  /** its titles, one or more */
  titles: readonly string[];
  message: string;
};

/** Maximum characters of the giver's name; longer ones would push out the rest of the subject. */
const MAX_GIVER_CHARS = 80;

/** The text in place of a missing giver's name. */
export const formatNamelessGiver = (i18n: Translator): string => i18n.t('A friend');

/**
 * Composes a gift's e-mail in the giver's language. The subject begins with the shop: the giver's
 * name alone could pass for another sender.
 */
export function formatGiftEmail({ language, shop, giver: fullName, name, titles, message }: Gift): GiftEmail {
  const i18n = getTranslator(language);
  const named = fullName.slice(0, MAX_GIVER_CHARS).toWellFormed();
  const giver = named || formatNamelessGiver(i18n);
  const [title = ''] = titles;
  const isOne = titles.length < 2;
  return {
    // Inside a sentence, who has no name is written small in most languages.
    subject:
      named === ''
        ? i18n.t('{shop}: A friend has sent you a gift', { shop })
        : i18n.t('{shop}: {giver} has sent you a gift', { shop, giver }),
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
        ? i18n.t('The link is for you alone and works once. To keep the title, sign in or create a free account.')
        : i18n.t(
            'The link is for you alone, opens all of them, and works once. To keep the titles, sign in or create a free account.',
          ),
      named === ''
        ? i18n.t('You got this email because a friend entered your address at {shop}. We won’t write to you for anything else.', {
            shop,
          })
        : i18n.t('You got this email because {giver} entered your address at {shop}. We won’t write to you for anything else.', {
            giver,
            shop,
          }),
    ],
  };
}

/** The titles' names follow on their own lines. */
const severalTitles = (i18n: Translator, values: { giver: string; count: number; shop: string }): string =>
  i18n.t(
    '{count, plural, one {{giver} is giving you # title from {shop}:} other {{giver} is giving you # titles from {shop}:}}',
    values,
  );

async function readName(db: Database, storeId: string, userId: string): Promise<string> {
  const user = await db
    .selectFrom('users')
    .select('name')
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.name.trim() ?? '';
}

/**
 * The giver's name as recipients see it; empty if they have none, are deleted, or the name contains
 * a link.
 */
export async function readGiverName(db: Database, storeId: string, userId: string): Promise<string> {
  const name = await readName(db, storeId, userId);
  return containsLink(name) ? '' : name;
}

/**
 * @throws DomainError conflict giver_link if the customer's name contains a web or e-mail address,
 * which they must change before they give
 */
export async function requireNameWithoutLink(db: Database, storeId: string, userId: string): Promise<void> {
  if (containsLink(await readName(db, storeId, userId)))
    throw new DomainError('conflict', 'Your own name contains a web or e-mail address; change it before you give.', {
      code: 'giver_link',
    });
}
