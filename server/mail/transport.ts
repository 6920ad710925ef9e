import { createTransport } from 'nodemailer';
import { shopNow } from '../base/clock/time.ts';
import type { Outbox, Recipient } from './outbox.ts';

/** An e-mail ready to be sent. */
export type Mail = {
  /** message id, the same for every attempt, so that mailboxes can detect duplicates */
  id: string;
  /** the database's time at which the e-mail was claimed from the queue */
  takenAt: Date;
  from: { name: string; address: string };
  to: string;
  /**
   * the customer whose account's deletion removes its file from the outbox; null: the file stays
   */
  recipient: Recipient | null;
  subject: string;
  /** plain text alternative of `html` */
  text: string;
  html: string;
};

/** Sends e-mails. */
export type MailTransport = {
  /** @throws Error if the e-mail may not have been accepted; the call may be repeated */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** Timeout for the connection, the greeting and each response of a mail server, in ms. */
const TIMEOUT_MS = 20_000;

const toNodemailerMessage = ({ id, from, to, subject, text, html }: Mail) => ({
  from,
  // As an object, so that an address is never parsed as a list of addresses.
  to: { name: '', address: to },
  subject,
  text,
  html,
  date: shopNow(),
  messageId: `<${id}@${from.address.split('@').at(-1) ?? 'shop'}>`,
  // Suppresses out-of-office replies (RFC 3834).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Creates a transport over SMTP. @param url like `smtps://user:password@mail.example:465` */
export function createSmtpTransport(url: string): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // Never send a password unencrypted.
    requireTLS: !secure && username !== '',
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    async send(mail) {
      await transport.sendMail(toNodemailerMessage(mail));
    },
    close: () => transport.close(),
  };
}

/** Creates a transport that writes each e-mail into the outbox, as a file for mail programs. */
export function createOutboxTransport(outbox: Outbox): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toNodemailerMessage(mail));
      await outbox.write({
        id: mail.id,
        takenAt: mail.takenAt,
        kind: 'eml',
        recipient: mail.recipient,
        content: message as Buffer,
      });
    },
    close: () => transport.close(),
  };
}
