import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';

/** A mail as it goes out. */
export type Mail = {
  /** Stays the same when the mail has to be sent again: a mailbox can tell that it is the same one. */
  id: string;
  from: { name: string; address: string };
  to: string;
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

/** Writes mails into a folder, each as a file that mail programs open. */
export function outboxTransport(folder: string): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(written(mail));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')} ${mail.id}.eml`);
      // Whoever looks into the folder never finds half a mail.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
    },
    close: () => transport.close(),
  };
}
