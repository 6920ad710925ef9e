import type { PaymentEmailKind, EmailQueueTable } from '../database/schema/people.ts';
import type { Translator } from '../base/words.ts';

/**
 * The texts of an e-mail about an account: subject, paragraphs, the link's label, and the label of
 * the second link, with which a customer who did not make the change sets a new password.
 */
type EmailTexts = { subject: string; before: string[]; link: string; after: string[]; notMe?: string };

/**
 * The kinds of e-mails about accounts. The texts of e-mails about gifts and payments are in
 * `server/gifts/gift-email.ts`, `server/payment/payment-email.ts`, `server/payment/refund-email.ts`
 * and `server/subscriptions/renewal-email.ts`.
 */
type AccountEmailKind = Exclude<EmailQueueTable['kind'], PaymentEmailKind | 'gift'>;

const formatSecureAccount = (i18n: Translator): string =>
  i18n.t('If it wasn’t you, set a new password immediately. You can remove what you don’t recognise in the same step:');

const createNotMeTexts = (i18n: Translator) => ({
  after: [formatSecureAccount(i18n)],
  notMe: i18n.t('It wasn’t me'),
});

/** The texts of each kind of e-mail about an account; `shop` is the store's name. */
export const emailTexts: Record<AccountEmailKind, (i18n: Translator, shop: string) => EmailTexts> = {
  'reset-password': (i18n, shop) => ({
    subject: i18n.t('Set a new password for {shop}', { shop }),
    before: [i18n.t('Someone, probably you, asked for a new password for this email address at {shop}.', { shop })],
    link: i18n.t('Set a new password'),
    after: [
      i18n.t('The link works once, and for one hour.'),
      i18n.t('If you didn’t ask for it, you can ignore this email. Your password stays as it is.'),
    ],
  }),
  'password-changed': (i18n, shop) => ({
    subject: i18n.t('Your password for {shop} has been changed', { shop }),
    before: [
      i18n.t('The password of your account at {shop} has just been changed. You’ve been signed out everywhere else.', { shop }),
      formatSecureAccount(i18n),
    ],
    link: i18n.t('It wasn’t me'),
    after: [],
  }),
  'email-changed': (i18n, shop) => ({
    subject: i18n.t('Your email address at {shop} has been changed', { shop }),
    before: [
      i18n.t('The email address of your account at {shop} has just been changed. You can no longer sign in with this one.', {
        shop,
      }),
    ],
    link: i18n.t('Go to the shop'),
    after: [i18n.t('If it wasn’t you, reply to this email immediately.')],
  }),
  'account-deleted': (i18n, shop) => ({
    subject: i18n.t('Your account at {shop} has been deleted', { shop }),
    before: [
      i18n.t(
        'Your account at {shop} has been deleted, with everything we kept about you, except the purchase records the law requires us to keep.',
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
        'Someone, probably you, has just signed in to your account at {shop} through a service that has verified this email address.',
        { shop },
      ),
      i18n.t(
        'This address had never been confirmed. To be safe, the account’s password no longer works, and all devices have been signed out.',
      ),
    ],
    link: i18n.t('Set a new password'),
    after: [i18n.t('You need no password to sign in through that service.'), formatSecureAccount(i18n)],
    notMe: i18n.t('It wasn’t me'),
  }),
  'provider-added': (i18n, shop) => ({
    subject: i18n.t('You can now sign in to {shop} in another way', { shop }),
    before: [i18n.t('Another way to sign in has just been connected to your account at {shop}.', { shop })],
    link: i18n.t('View your account'),
    ...createNotMeTexts(i18n),
  }),
  'provider-removed': (i18n, shop) => ({
    subject: i18n.t('A way to sign in to {shop} has been removed', { shop }),
    before: [
      i18n.t('A way to sign in has just been removed from your account at {shop}. You can no longer sign in with it.', { shop }),
    ],
    link: i18n.t('View your account'),
    ...createNotMeTexts(i18n),
  }),
  'passkey-added': (i18n, shop) => ({
    subject: i18n.t('You can now sign in to {shop} with a new passkey', { shop }),
    before: [
      i18n.t('A passkey has just been added to your account at {shop}. Anyone who has the device it’s on can sign in with it.', {
        shop,
      }),
    ],
    link: i18n.t('View your passkeys'),
    ...createNotMeTexts(i18n),
  }),
  'passkey-removed': (i18n, shop) => ({
    subject: i18n.t('A passkey for {shop} has been deleted', { shop }),
    before: [i18n.t('A passkey of your account at {shop} has just been deleted. You can no longer sign in with it.', { shop })],
    link: i18n.t('View your passkeys'),
    ...createNotMeTexts(i18n),
  }),
};
