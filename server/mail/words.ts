import type { AboutPayments, LettersTable } from '../database/schema/people.ts';
import type { Translator } from '../base/words.ts';

/**
 * An e-mail: its subject, its paragraphs, its link's label, and the label of the link at its end
 * that leads a customer who did not do it to a new password.
 */
type Words = { subject: string; before: string[]; link: string; after: string[]; notMe?: string };

/**
 * Gifts and payments have words of their own: `server/gifts/letter.ts`,
 * `server/payment/receipt-letter.ts`, `refund-letter.ts`, `server/subscriptions/renewal-letter.ts`.
 */
type Kind = Exclude<LettersTable['kind'], AboutPayments | 'gift'>;

const secureAccount = (i18n: Translator): string =>
  i18n.t('If it wasn’t you, set a new password at once. You can remove what you don’t recognise in the same step:');

const notMe = (i18n: Translator) => ({
  after: [secureAccount(i18n)],
  notMe: i18n.t('It wasn’t me'),
});

/** The words of each kind of e-mail; `shop` is the store's name. */
export const letterWords: Record<Kind, (i18n: Translator, shop: string) => Words> = {
  'reset-password': (i18n, shop) => ({
    subject: i18n.t('Set a new password for {shop}', { shop }),
    before: [i18n.t('Somebody, probably you, asked for a new password for this email address at {shop}.', { shop })],
    link: i18n.t('Set a new password'),
    after: [
      i18n.t('The link works once, and for one hour.'),
      i18n.t('If you didn’t ask for it, you can ignore this email. Your password stays as it is.'),
    ],
  }),
  'password-changed': (i18n, shop) => ({
    subject: i18n.t('Your password for {shop} has been changed', { shop }),
    before: [
      i18n.t(
        'The password of your account at {shop} has just been changed. Wherever else you were signed in, you have been signed out.',
        { shop },
      ),
      secureAccount(i18n),
    ],
    link: i18n.t('It wasn’t me'),
    after: [],
  }),
  'email-changed': (i18n, shop) => ({
    subject: i18n.t('Your email address at {shop} has been changed', { shop }),
    before: [i18n.t('Your account at {shop} has just been given another email address. This one no longer signs in.', { shop })],
    link: i18n.t('Go to the shop'),
    after: [i18n.t('If it wasn’t you, reply to this email at once.')],
  }),
  'account-deleted': (i18n, shop) => ({
    subject: i18n.t('Your account at {shop} has been deleted', { shop }),
    before: [
      i18n.t(
        'Your account at {shop} has been deleted, with everything that we kept about you but the records of your purchases, which the law asks for.',
        { shop },
      ),
    ],
    link: i18n.t('Go to the shop'),
    after: [i18n.t('If it wasn’t you, reply to this email.')],
  }),
  'provider-joined': (i18n, shop) => ({
    subject: i18n.t('You signed in to {shop} in another way', { shop }),
    before: [
      i18n.t(
        'Somebody, probably you, has just signed in to your account at {shop} through a service that vouches for this email address.',
        { shop },
      ),
      i18n.t(
        'Nobody had ever confirmed the address to us. To be safe, the account’s password no longer works, and all devices have been signed out.',
      ),
    ],
    link: i18n.t('Set a new password'),
    after: [i18n.t('You need no password to sign in through that service.'), secureAccount(i18n)],
    notMe: i18n.t('It wasn’t me'),
  }),
  'provider-added': (i18n, shop) => ({
    subject: i18n.t('You can now sign in to {shop} in another way', { shop }),
    before: [i18n.t('Another way to sign in has just been connected to your account at {shop}.', { shop })],
    link: i18n.t('Look at your account'),
    ...notMe(i18n),
  }),
  'provider-removed': (i18n, shop) => ({
    subject: i18n.t('A way to sign in to {shop} has been removed', { shop }),
    before: [
      i18n.t('A way to sign in has just been removed from your account at {shop}. It no longer opens the account.', { shop }),
    ],
    link: i18n.t('Look at your account'),
    ...notMe(i18n),
  }),
  'passkey-added': (i18n, shop) => ({
    subject: i18n.t('You can now sign in to {shop} with a new passkey', { shop }),
    before: [
      i18n.t(
        'A passkey has just been added to your account at {shop}. Whoever has the device that it is on can sign in with it.',
        { shop },
      ),
    ],
    link: i18n.t('Look at your passkeys'),
    ...notMe(i18n),
  }),
  'passkey-removed': (i18n, shop) => ({
    subject: i18n.t('A passkey for {shop} has been deleted', { shop }),
    before: [i18n.t('A passkey of your account at {shop} has just been deleted. It no longer signs in.', { shop })],
    link: i18n.t('Look at your passkeys'),
    ...notMe(i18n),
  }),
};
