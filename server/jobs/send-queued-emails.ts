import { sql, type Selectable } from 'kysely';
import { forgotPasswordPath, resetPasswordPath, withQuery } from '../../machines/model/paths.ts';
import { writeAuditLog } from '../kernel/audit.ts';
import { emailKey } from '../base/email.ts';
import { issueResetToken } from '../accounts/tokens.ts';
import { realNowSql } from '../base/clock/sql-time.ts';
import { readShopName } from '../catalogue/shop-name.ts';
import type { Database } from '../database/open.ts';
import type { AboutPayments, EmailQueueTable } from '../database/schema/people.ts';
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
 * The address of an e-mail, and the path of its link. `staysInOutbox`: the file is not removed with
 * a deleted account, since another person may have had that account.
 */
type EmailRecipient = { to: string; path: string; staysInOutbox?: boolean };

/** Attempts after which an e-mail is given up; with the delays between them, more than a day. */
const MAX_ATTEMPTS = 12;

const recipientReaders: Record<
  Exclude<QueuedEmail['kind'], AboutPayments | 'gift'>,
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
    // Not to the address as typed: an address that compares equal may be another mailbox.
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
 * The path for a customer who did not make the change; resetting the password there also removes
 * other ways to sign in.
 */
const notMePath = withQuery(forgotPasswordPath, { notme: '1' });

function composeMail(
  services: Services,
  queuedEmail: QueuedEmail,
  shop: string,
  addressee: EmailRecipient,
  written: EmailText,
): Mail {
  const { to, path, staysInOutbox = false } = addressee;
  const { subject, before, link, after, notMe } = written;
  const address = queuedEmail.origin + path;
  const notMeAddress = queuedEmail.origin + notMePath;
  const lines = (text: string): string => escapeXml(text).replaceAll('\n', '<br>');
  const paragraphs = (texts: string[]): string => texts.map((text) => `<p>${lines(text)}</p>`).join('');
  const linked = (href: string, text: string): string => `<p><a href="${escapeXml(href)}">${escapeXml(text)}</a></p>`;
  const htmlBody = [
    paragraphs(before),
    linked(address, link),
    paragraphs(after),
    notMe === undefined ? '' : linked(notMeAddress, notMe),
  ];
  return {
    id: queuedEmail.id,
    takenAt: queuedEmail.takenAt,
    from: { name: shop, address: services.config.mailFrom ?? `no-reply@${new URL(queuedEmail.origin).hostname}` },
    to,
    recipient: staysInOutbox ? null : { storeId: queuedEmail.store_id, address: to },
    subject,
    text: [...before, address, ...after, ...(notMe === undefined ? [] : [notMeAddress])].join('\n\n'),
    html: `<!doctype html><html lang="${queuedEmail.language}"><body>${htmlBody.join('')}</body></html>`,
  };
}

/** Whether a customer has verified an address as theirs. */
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
  if (gift.hasLostText) services.log.info({ store: queuedEmail.store_id, gift: queuedEmail.gift_id }, 'gift.message_removed');
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
async function createPaymentMail(services: Services, queuedEmail: QueuedEmail, kind: AboutPayments): Promise<Mail | null> {
  const email = paymentEmails.find((each) => each.kind === kind);
  if (email === undefined) throw new Error(`Unknown kind of e-mail: "${kind}" (not in jobs/payment-emails.ts).`);
  const { store_id: storeId, language, renewal } = queuedEmail;
  const shop = await readShopName(services.db, storeId, queuedEmail);
  const about = { storeId, language, shop, transactionId: queuedEmail.transaction_id ?? '', renewal };
  const written = await email.write(services, about);
  return written ? composeMail(services, queuedEmail, shop, { to: written.to, path: written.path }, written.text) : null;
}

type AccountKind = keyof typeof recipientReaders;

const isAboutAccount = (kind: QueuedEmail['kind']): kind is AccountKind => Object.hasOwn(recipientReaders, kind);

async function createMail(services: Services, queuedEmail: QueuedEmail): Promise<Mail | null> {
  const { kind } = queuedEmail;
  if (kind === 'gift') return createGiftMail(services, queuedEmail);
  if (!isAboutAccount(kind)) return createPaymentMail(services, queuedEmail, kind);
  const whom = await recipientReaders[kind](services, queuedEmail);
  if (whom === null) return null;
  const shop = await readShopName(services.db, queuedEmail.store_id, queuedEmail);
  return composeMail(services, queuedEmail, shop, whom, emailTexts[kind](getTranslator(queuedEmail.language), shop));
}

/**
 * Takes the next due e-mail and delays its next attempt (which acts as the lock while it is sent):
 * from one minute, doubled each time, to six hours. E-mails become due by the shop's time. Retries,
 * which wait for mail servers, follow the machine's time, so that a move of the clock takes no
 * e-mail from a process that is sending it.
 */
async function claimNext(db: Database): Promise<QueuedEmail | undefined> {
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
 * server's answer was lost.
 * @returns how many were sent, and how many failed
 */
export async function sendQueuedEmails(services: Services, stopping?: AbortSignal): Promise<{ sent: number; failed: number }> {
  const done = { sent: 0, failed: 0 };
  for (;;) {
    if (stopping?.aborted === true) return done;
    const queuedEmail = await claimNext(services.db);
    if (queuedEmail === undefined) return done;
    let sentTo: string | null = null;
    try {
      const mail = await createMail(services, queuedEmail);
      if (mail !== null) await services.mail.send(mail);
      sentTo = mail?.to ?? null;
      if (mail !== null) {
        done.sent += 1;
        services.log.info({ store: queuedEmail.store_id, email: queuedEmail.id, kind: queuedEmail.kind }, 'email.sent');
      }
    } catch (error) {
      done.failed += 1;
      const isLast = queuedEmail.attempts >= MAX_ATTEMPTS;
      const fields = {
        err: error,
        store: queuedEmail.store_id,
        email: queuedEmail.id,
        kind: queuedEmail.kind,
        attempts: queuedEmail.attempts,
      };
      if (isLast) services.log.error(fields, 'email.given_up');
      else services.log.warn({ ...fields, willRetry: true }, 'email.send_failed');
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
    // The account was deleted while the e-mail was being sent, which removes its e-mails from the
    // queue.
    if (!wasQueued && queuedEmail.gift_id === null) await services.outbox.removeMessage(queuedEmail.id);
  }
}
