import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

/** The e-mails to an address in a shop's outbox, the latest last. */
export const readEmails = async (outbox: string, email: string): Promise<Email[]> => {
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml')).toSorted();
  const messages = await Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(outbox, name)))));
  return messages.filter(({ to = [] }) => to.some(({ address }) => address === email));
};

/** The links in an e-mail, in order. */
export const getEmailLinks = (message: Email | undefined): string[] => message?.text?.match(/https?:\/\/\S+/g) ?? [];

/** The first link in an e-mail; empty if it has no link. */
export const getFirstLink = (message: Email | undefined): string => getEmailLinks(message)[0] ?? '';
