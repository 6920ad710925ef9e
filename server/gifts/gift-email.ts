import { containsLink } from '../../machines/model/store/links.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import type { LanguageCode } from '../base/language.ts';
import { type Translator, getTranslator } from '../base/words.ts';

/**
 * The texts of a gift's e-mail: paragraphs before and after the link. The preview shows the same.
 */
export type GiftEmail = { subject: string; before: string[]; link: string; after: string[] };

type GiftEmailData = {
  language: LanguageCode;
  shop: string;
  /** empty if the giver has no name */
  giver: string;
  name: string;
  /** its titles, one or more */
  titles: readonly string[];
  message: string;
};

/** Maximum characters of the giver's name: a longer name would hide the rest of the subject. */
const MAX_GIVER_CHARS = 80;

/** Returns the text in place of a missing name of the giver. */
export const formatNamelessGiver = (i18n: Translator): string => i18n.t('A friend');

/**
 * Composes a gift's e-mail in the giver's language. The subject begins with the shop: the giver's
 * name alone could pass for another sender.
 */
export function formatGiftEmail({ language, shop, giver: fullName, name, titles, message }: GiftEmailData): GiftEmail {
  const i18n = getTranslator(language);
  const shownName = fullName.slice(0, MAX_GIVER_CHARS).toWellFormed();
  const giver = shownName || formatNamelessGiver(i18n);
  const [title = ''] = titles;
  const isSingleTitle = titles.length < 2;
  return {
    // A message key of its own: inside a sentence, most languages write “a friend” in lower case.
    subject:
      shownName === ''
        ? i18n.t('{shop}: A friend has sent you a gift', { shop })
        : i18n.t('{shop}: {giver} has sent you a gift', { shop, giver }),
    before: [
      i18n.t('Hello {name},', { name }),
      ...(isSingleTitle
        ? [i18n.t('{giver} is giving you “{title}” from {shop}.', { giver, title, shop })]
        : [formatTitlesSentence(i18n, { giver, count: titles.length, shop }), titles.join('\n')]),
      ...(message === '' ? [] : [message]),
    ],
    link: i18n.t('Open your gift'),
    after: [
      isSingleTitle
        ? i18n.t('The link is for you alone and works once. To keep the title, sign in or create a free account.')
        : i18n.t(
            'The link is for you alone, opens all of them, and works once. To keep the titles, sign in or create a free account.',
          ),
      shownName === ''
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

/** Formats the sentence about several titles; their names follow on their own lines. */
const formatTitlesSentence = (i18n: Translator, values: { giver: string; count: number; shop: string }): string =>
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
 * Reads the giver's name as recipients see it; empty for a giver without a name, a deleted giver,
 * or a name that contains a link.
 */
export async function readGiverName(db: Database, storeId: string, userId: string): Promise<string> {
  const name = await readName(db, storeId, userId);
  return containsLink(name) ? '' : name;
}

/**
 * Checks the name of a customer before they give.
 * @throws DomainError conflict giver_link if the name contains a web or e-mail address
 */
export async function requireNameWithoutLink(db: Database, storeId: string, userId: string): Promise<void> {
  if (containsLink(await readName(db, storeId, userId)))
    throw new DomainError('conflict', 'Your own name contains a web or e-mail address; change it before you give.', {
      code: 'giver_link',
    });
}
