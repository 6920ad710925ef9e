import { join } from 'node:path';
import type { Email } from 'postal-mime';
import { sendQueuedEmails } from '../../../server/jobs/send-queued-emails.ts';
import { readEmails } from '../../../tools/shop/emails.ts';
import type { Shop } from './shop.ts';

/** Sends queued e-mails, then returns those to one e-mail address, latest last. */
export async function readEmailsTo(shop: Shop, email: string): Promise<Email[]> {
  await sendQueuedEmails(shop.services);
  return readEmails(join(shop.folder, 'outbox'), email);
}
