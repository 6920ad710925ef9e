import { createTransport } from 'nodemailer';
import { shopNow } from '../base/clock/time.ts';
import type { Outbox, Recipient } from './outbox.ts';

/** A mail as it goes out. */
export type Mail = {
  /** Stays the same when the mail has to be sent again: a mailbox can tell that it is the same one. */
  id: string;
  /** The time by the database when it was taken from the queue. */
  takenAt: Date;
  from: { name: string; address: string };
  to: string;
  /** the customer with whose account it leaves the outbox; null for the confirmation of that */
  recipient: Recipient | null;
  subject: string;
  /** the text that every mail has */
  text: string;
  html: string;
};

/** How mails leave the shop. */
export type MailTransport = {
  /** @throws Error when the mail was not taken over; it may be tried again */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** Milliseconds within which a mail server must say something. */
const PATIENCE = 20_000;

const written = ({ id, from, to, subject, text, html }: Mail) => ({
  from,
  // As an object, what an address holds is never read as a list of them.
  to: { name: '', address: to },
  subject,
  text,
  html,
  date: shopNow(),
  messageId: `<${id}@${from.address.split('@').at(-1) ?? 'shop'}>`,
  // No out-of-office answers, please.
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** Sends over SMTP. @param url like `smtps://user:password@mail.example:465` */
export function smtpTransport(url: string): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname,
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    // A password is not sent where anybody could read it.
    requireTLS: !secure && username !== '',
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  });
  return {
    async send(mail) {
      await transport.sendMail(written(mail));
    },
    close: () => transport.close(),
  };
}

/** Writes mails into the outbox, each as a file that mail programs open. */
export function outboxTransport(outbox: Outbox): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(written(mail));
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
