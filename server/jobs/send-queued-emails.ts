import { sql, type Selectable } from 'kysely';
import { forgotPasswordPath, resetPasswordPath, withQuery } from '../../machines/model/paths.ts';
import { writeAuditLog } from '../kernel/audit.ts';
import { emailKey } from '../base/email.ts';
import { issueResetToken } from '../accounts/tokens.ts';
import { realNowSql } from '../base/clock/sql-time.ts';
import { readShopName } from '../catalogue/shop-name.ts';
import type { Database } from '../database/open.ts';
import type { PaymentEmailKind, EmailQueueTable } from '../database/schema/people.ts';
import { formatCode } from '../base/code-text.ts';
import { formatGiftEmail, readGiverName } from '../gifts/gift-email.ts';
import { readGiftToSend, lockGift, markGiftSent } from '../gifts/sent-gift.ts';
import { paymentEmails } from './payment-emails.ts';
import type { Services } from '../services.ts';
import { escapeXml } from '../base/xml/write.ts';
import type { Mail } from '../mail/transport.ts';
import { emailTexts } from '../mail/email-texts.ts';
import { getTranslator } from '../base/words.ts';

type QueuedEmail = Selectable<EmailQueueTable> & { takenAt: Date };

/**
 * The address of an e-mail, and the path of its link. `staysInOutbox`: the file is not removed when
 * an account with this address is deleted, since that may be another person's account.
 */
type EmailRecipient = { to: string; path: string; staysInOutbox?: boolean };

/**
 * Attempts after which an e-mail is given up; with the delays between them, some 20 hours after the
 * first.
 */
const MAX_ATTEMPTS = 12;

/** Readers of the recipients of e-mails about accounts; null: the e-mail is not sent. */
const recipientReaders: Record<
  Exclude<QueuedEmail['kind'], PaymentEmailKind | 'gift'>,
  (services: Services, queuedEmail: QueuedEmail) => Promise<EmailRecipient | null>
> = {
  'reset-password': async ({ db }, queuedEmail) => {
    const user = await db
      .selectFrom('users')
      .select(['id', 'email'])
      .where('store_id', '=', queuedEmail.store_id)
      .where('email_key', '=', emailKey(queuedEmail.email))
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!user) return null;
    await writeAuditLog(db, 'password_link_sent', { storeId: queuedEmail.store_id, userId: user.id });
    const token = await issueResetToken(db, { storeId: queuedEmail.store_id, userId: user.id, email: user.email });
    // Sent to the stored address, not to the entered one, which may compare equal but be another
    // mailbox.
    return { to: user.email, path: withQuery(resetPasswordPath(token), queuedEmail.not_me ? { notme: '1' } : {}) };
  },
  'password-changed': async (_, { email }) => ({ to: email, path: notMePath }),
  'email-changed': async (_, { email }) => ({ to: email, path: '/', staysInOutbox: true }),
  'account-deleted': async (_, { email }) => ({ to: email, path: '/', staysInOutbox: true }),
  'provider-joined': async (_, { email }) => ({ to: email, path: forgotPasswordPath }),
  'provider-added': async (_, { email }) => ({ to: email, path: '/account' }),
  'provider-removed': async (_, { email }) => ({ to: email, path: '/account' }),
  'passkey-added': async (_, { email }) => ({ to: email, path: '/account' }),
  'passkey-removed': async (_, { email }) => ({ to: email, path: '/account' }),
};

/**
 * An e-mail's paragraphs around its link; `notMe` labels a second link, for customers who did not
 * make the change.
 */
type EmailText = { subject: string; before: string[]; link: string; after: string[]; notMe?: string };

/**
 * The path for a customer who did not make the change: setting a new password there also removes
 * other ways to sign in.
 */
const notMePath = withQuery(forgotPasswordPath, { notme: '1' });

function composeMail(
  services: Services,
  queuedEmail: QueuedEmail,
  shop: string,
  recipient: EmailRecipient,
  emailText: EmailText,
): Mail {
  const { to, path, staysInOutbox = false } = recipient;
  const { subject, before, link, after, notMe } = emailText;
  const linkUrl = queuedEmail.origin + path;
  const notMeUrl = queuedEmail.origin + notMePath;
  const formatLines = (text: string): string => escapeXml(text).replaceAll('\n', '<br>');
  const formatParagraphs = (texts: string[]): string => texts.map((text) => `<p>${formatLines(text)}</p>`).join('');
  const formatLink = (href: string, text: string): string => `<p><a href="${escapeXml(href)}">${escapeXml(text)}</a></p>`;
  const htmlBody = [
    formatParagraphs(before),
    formatLink(linkUrl, link),
    formatParagraphs(after),
    notMe === undefined ? '' : formatLink(notMeUrl, notMe),
  ];
  return {
    id: queuedEmail.id,
    takenAt: queuedEmail.takenAt,
    from: { name: shop, address: services.config.mailFrom ?? `no-reply@${new URL(queuedEmail.origin).hostname}` },
    to,
    recipient: staysInOutbox ? null : { storeId: queuedEmail.store_id, address: to },
    subject,
    text: [...before, linkUrl, ...after, ...(notMe === undefined ? [] : [notMeUrl])].join('\n\n'),
    html: `<!doctype html><html lang="${queuedEmail.language}"><body>${htmlBody.join('')}</body></html>`,
  };
}

/** Whether an account of the store has this address and has verified it. */
async function isVerifiedAddress(db: Database, storeId: string, email: string): Promise<boolean> {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('store_id', '=', storeId)
    .where('email_key', '=', emailKey(email))
    .where('email_verified_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return user !== undefined;
}

/** Composes a gift's e-mail; null if the gift is withdrawn. */
async function createGiftMail(services: Services, queuedEmail: QueuedEmail): Promise<Mail | null> {
  const gift = await readGiftToSend(services.db, queuedEmail.store_id, queuedEmail.gift_id ?? '');
  if (!gift) return null;
  const { language } = queuedEmail;
  const shop = await readShopName(services.db, queuedEmail.store_id, queuedEmail);
  const giver = await readGiverName(services.db, queuedEmail.store_id, gift.giverId);
  const { name, message, titles, to } = gift;
  if (gift.hasLostText) {
    const ids = { store: queuedEmail.store_id, gift: queuedEmail.gift_id, customer: gift.giverId, email: queuedEmail.id };
    services.log.info(ids, 'gift.message.removed');
  }
  const path = `/redeem/${formatCode(gift.code)}`;
  const staysInOutbox = !(await isVerifiedAddress(services.db, queuedEmail.store_id, to));
  return composeMail(
    services,
    queuedEmail,
    shop,
    { to, path, staysInOutbox },
    formatGiftEmail({ language, shop, giver, name, titles, message }),
  );
}

/** Composes a payment e-mail; null if its customer is deleted. */
async function createPaymentMail(services: Services, queuedEmail: QueuedEmail, kind: PaymentEmailKind): Promise<Mail | null> {
  const email = paymentEmails.find((each) => each.kind === kind);
  if (email === undefined) throw new Error(`Unknown kind of e-mail: "${kind}"; expected a kind of jobs/payment-emails.ts.`);
  const { store_id: storeId, language, renewal } = queuedEmail;
  const shop = await readShopName(services.db, storeId, queuedEmail);
  const context = { storeId, language, shop, transactionId: queuedEmail.transaction_id ?? '', renewal };
  const composedEmail = await email.compose(services, context);
  return composedEmail
    ? composeMail(services, queuedEmail, shop, { to: composedEmail.to, path: composedEmail.path }, composedEmail.text)
    : null;
}

type AccountKind = keyof typeof recipientReaders;

const isAccountKind = (kind: QueuedEmail['kind']): kind is AccountKind => Object.hasOwn(recipientReaders, kind);

async function createMail(services: Services, queuedEmail: QueuedEmail): Promise<Mail | null> {
  const { kind } = queuedEmail;
  if (kind === 'gift') return createGiftMail(services, queuedEmail);
  if (!isAccountKind(kind)) return createPaymentMail(services, queuedEmail, kind);
  const recipient = await recipientReaders[kind](services, queuedEmail);
  if (recipient === null) return null;
  const shop = await readShopName(services.db, queuedEmail.store_id, queuedEmail);
  return composeMail(services, queuedEmail, shop, recipient, emailTexts[kind](getTranslator(queuedEmail.language), shop));
}

/**
 * Claims the next due e-mail and delays its next attempt, which locks the e-mail while it is sent:
 * by one minute, doubled each time, up to six hours. E-mails become due by the shop's clock.
 * Retries, which wait for mail servers, follow the computer's clock, so that a move of the shop's
 * clock takes no e-mail from a process that is sending it.
 * @returns undefined if no e-mail is due
 */
async function claimNextEmail(db: Database): Promise<QueuedEmail | undefined> {
  return db
    .updateTable('letters')
    .set({
      attempts: sql`letters.attempts + 1`,
      due_at: sql<Date>`${realNowSql} + make_interval(mins => least(360, 2 ^ letters.attempts)::int)`,
    })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('letters')
        .select('id')
        .where('due_at', '<=', sql<Date>`case when attempts = 0 then shop_now() else ${realNowSql} end`)
        .orderBy('due_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .returning(realNowSql.as('takenAt'))
    .executeTakeFirst();
}

/**
 * Sends the due e-mails one after the other; several processes may do so concurrently. An e-mail
 * that cannot be sent stays in the queue. It may arrive twice, with the same id, if the mail
 * server's response was lost.
 * @returns the numbers of sent and failed e-mails
 */
export async function sendQueuedEmails(services: Services, stopping?: AbortSignal): Promise<{ sent: number; failed: number }> {
  const counts = { sent: 0, failed: 0 };
  for (;;) {
    if (stopping?.aborted === true) return counts;
    const queuedEmail = await claimNextEmail(services.db);
    if (queuedEmail === undefined) return counts;
    const ids = {
      store: queuedEmail.store_id,
      email: queuedEmail.id,
      kind: queuedEmail.kind,
      transaction: queuedEmail.transaction_id ?? undefined,
      gift: queuedEmail.gift_id ?? undefined,
    };
    let sentTo: string | null = null;
    try {
      const mail = await createMail(services, queuedEmail);
      if (mail !== null) await services.mail.send(mail);
      sentTo = mail?.to ?? null;
      if (mail !== null) {
        counts.sent += 1;
        services.log.info(ids, 'email.sent');
      }
    } catch (error) {
      counts.failed += 1;
      const isLast = queuedEmail.attempts >= MAX_ATTEMPTS;
      const fields = { err: error, ...ids, attempts: queuedEmail.attempts };
      if (isLast) services.log.error(fields, 'email.given_up');
      else services.log.warn({ ...fields, willRetry: true }, 'email.send.failed');
      if (!isLast) continue;
    }
    const wasQueued = await services.db.transaction().execute(async (trx) => {
      // Lock order: the gift before the e-mail, as when a giver sends a gift again.
      if (queuedEmail.gift_id !== null) await lockGift(trx, queuedEmail.store_id, queuedEmail.gift_id);
      const { numDeletedRows } = await trx.deleteFrom('letters').where('id', '=', queuedEmail.id).executeTakeFirst();
      if (queuedEmail.gift_id !== null && numDeletedRows > 0n)
        await markGiftSent(trx, queuedEmail.store_id, queuedEmail.gift_id, sentTo);
      return numDeletedRows > 0n;
    });
    // The e-mail left the queue while it was being sent: its account was deleted.
    if (!wasQueued && queuedEmail.gift_id === null) await services.outbox.removeMessage(queuedEmail.id);
  }
}
