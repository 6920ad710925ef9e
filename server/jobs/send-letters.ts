import { sql, type Selectable } from 'kysely';
import { forgotPasswordPath, resetPasswordPath, withQuery } from '../../machines/model/paths.ts';
import { note } from '../kernel/audit.ts';
import { emailKey } from '../base/email.ts';
import { issueResetToken } from '../accounts/tokens.ts';
import { realNowSql } from '../base/clock/sql-time.ts';
import { shopName } from '../catalogue/shop-name.ts';
import type { Database } from '../database/open.ts';
import type { AboutPayments, LettersTable } from '../database/schema/people.ts';
import { writtenCode } from '../base/code-text.ts';
import { giftLetter, giverName } from '../gifts/letter.ts';
import { giftToSend, lockGift, noteGiftSent } from '../gifts/sent-gift.ts';
import { paymentEmails } from './payment-emails.ts';
import type { Services } from '../services.ts';
import { escapeXml } from '../base/xml/write.ts';
import type { Mail } from '../mail/transport.ts';
import { letterWords } from '../mail/words.ts';
import { translatorTo } from '../base/words.ts';

type Letter = Selectable<LettersTable> & { takenAt: Date };

/**
 * The address that an e-mail goes to, and the path of its link. `staysInOutbox`: no deleted account
 * takes its file along, since another person may have had that account.
 */
type Addressed = { to: string; path: string; staysInOutbox?: boolean };

/** Tries after which an e-mail is given up; with the waits between them, more than a day. */
const MOST_ATTEMPTS = 12;

const addressed: Record<
  Exclude<Letter['kind'], AboutPayments | 'gift'>,
  (services: Services, letter: Letter) => Promise<Addressed | null>
> = {
  'reset-password': async ({ db }, letter) => {
    const user = await db
      .selectFrom('users')
      .select(['id', 'email'])
      .where('store_id', '=', letter.store_id)
      .where('email_key', '=', emailKey(letter.email))
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!user) return null;
    await note(db, 'password_link_sent', { storeId: letter.store_id, userId: user.id });
    const token = await issueResetToken(db, { storeId: letter.store_id, userId: user.id, email: user.email });
    // Not to the address as it was typed: one that compares alike may be another mailbox.
    return { to: user.email, path: withQuery(resetPasswordPath(token), letter.not_me ? { notme: '1' } : {}) };
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

/** An e-mail's paragraphs around its link; `notMe` labels a second link, to disown the change. */
type Written = { subject: string; before: string[]; link: string; after: string[]; notMe?: string };

/** Leads a customer who did not change the account to a link that removes other ways in, too. */
const notMePath = withQuery(forgotPasswordPath, { notme: '1' });

function mailWith(services: Services, letter: Letter, shop: string, addressee: Addressed, written: Written): Mail {
  const { to, path, staysInOutbox = false } = addressee;
  const { subject, before, link, after, notMe } = written;
  const address = letter.origin + path;
  const notMeAddress = letter.origin + notMePath;
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
    id: letter.id,
    takenAt: letter.takenAt,
    from: { name: shop, address: services.config.mailFrom ?? `no-reply@${new URL(letter.origin).hostname}` },
    to,
    recipient: staysInOutbox ? null : { storeId: letter.store_id, address: to },
    subject,
    text: [...before, address, ...after, ...(notMe === undefined ? [] : [notMeAddress])].join('\n\n'),
    html: `<!doctype html><html lang="${letter.language}"><body>${htmlBody.join('')}</body></html>`,
  };
}

/** Whether a customer has proved that an address is theirs. */
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

/** The e-mail that brings a gift; null where the gift is gone. */
async function giftMail(services: Services, letter: Letter): Promise<Mail | null> {
  const gift = await giftToSend(services.db, letter.store_id, letter.gift_id ?? '');
  if (!gift) return null;
  const { language } = letter;
  const shop = await shopName(services.db, letter.store_id, letter);
  const giver = await giverName(services.db, letter.store_id, gift.giverId);
  const { name, message, titles, to } = gift;
  if (gift.hasLostText)
    services.log.error({ store: letter.store_id, gift: letter.gift_id }, 'text with a link left out of a gift');
  const path = `/redeem/${writtenCode(gift.code)}`;
  const staysInOutbox = !(await isVerifiedAddress(services.db, letter.store_id, to));
  return mailWith(
    services,
    letter,
    shop,
    { to, path, staysInOutbox },
    giftLetter({ language, shop, giver, name, titles, message }),
  );
}

/** An e-mail about a payment; null where its customer is gone. */
async function paymentMail(services: Services, letter: Letter, kind: AboutPayments): Promise<Mail | null> {
  const email = paymentEmails.find((each) => each.kind === kind);
  if (email === undefined) throw new Error(`The e-mail "${kind}" is not in jobs/payment-emails.ts.`);
  const { store_id: storeId, language, renewal } = letter;
  const shop = await shopName(services.db, storeId, letter);
  const about = { storeId, language, shop, transactionId: letter.transaction_id ?? '', renewal };
  const written = await email.write(services, about);
  return written ? mailWith(services, letter, shop, { to: written.to, path: written.path }, written.letter) : null;
}

type AccountKind = keyof typeof addressed;

const isAboutAccount = (kind: Letter['kind']): kind is AccountKind => Object.hasOwn(addressed, kind);

async function mailOf(services: Services, letter: Letter): Promise<Mail | null> {
  const { kind } = letter;
  if (kind === 'gift') return giftMail(services, letter);
  if (!isAboutAccount(kind)) return paymentMail(services, letter, kind);
  const whom = await addressed[kind](services, letter);
  if (whom === null) return null;
  const shop = await shopName(services.db, letter.store_id, letter);
  return mailWith(services, letter, shop, whom, letterWords[kind](translatorTo(letter.language), shop));
}

/**
 * Takes the next e-mail that is due, for as long as sending it may take; the next try waits twice
 * as long, from a minute to six hours. E-mails become due by the shop's time. Tries, which wait for
 * mail servers, count by the machine's: a move of the clock takes no e-mail from a process that is
 * sending it.
 */
async function takeNext(db: Database): Promise<Letter | undefined> {
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
 * Sends the e-mails that are due, one after the other; several processes may do so at once. One
 * that cannot be sent stays. It may arrive twice, with the same id, where the mail server's answer
 * was lost.
 * @returns how many were sent, and how many could not be
 */
export async function sendLetters(services: Services, stopping?: AbortSignal): Promise<{ sent: number; failed: number }> {
  const done = { sent: 0, failed: 0 };
  for (;;) {
    if (stopping?.aborted === true) return done;
    const letter = await takeNext(services.db);
    if (letter === undefined) return done;
    let sentTo: string | null = null;
    try {
      const mail = await mailOf(services, letter);
      if (mail !== null) await services.mail.send(mail);
      sentTo = mail?.to ?? null;
      if (mail !== null) done.sent += 1;
    } catch (error) {
      done.failed += 1;
      const isLast = letter.attempts >= MOST_ATTEMPTS;
      services.log.error(
        { err: error, letter: letter.id, attempts: letter.attempts },
        isLast ? 'an e-mail was given up' : 'an e-mail could not be sent',
      );
      if (!isLast) continue;
    }
    const wasQueued = await services.db.transaction().execute(async (trx) => {
      // Before the e-mail: a giver who sends a gift again locks in this order, too.
      if (letter.gift_id !== null) await lockGift(trx, letter.store_id, letter.gift_id);
      const { numDeletedRows } = await trx.deleteFrom('letters').where('id', '=', letter.id).executeTakeFirst();
      if (letter.gift_id !== null && numDeletedRows > 0n) await noteGiftSent(trx, letter.store_id, letter.gift_id, sentTo);
      return numDeletedRows > 0n;
    });
    // Its account was deleted while it was being sent, which removes e-mails from the queue.
    if (!wasQueued && letter.gift_id === null) await services.outbox.removeMessage(letter.id);
  }
}
