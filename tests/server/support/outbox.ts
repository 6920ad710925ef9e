import { join } from 'node:path';
import type { Email } from 'postal-mime';
import { sendLetters } from '../../../server/jobs/send-letters.ts';
import { lettersIn } from '../../../tools/shop/letters.ts';
import type { Shop } from './shop.ts';

/** Sends queued e-mails, then returns those to one address, the latest last. */
export async function sentTo(shop: Shop, email: string): Promise<Email[]> {
  await sendLetters(shop.services);
  return lettersIn(join(shop.folder, 'outbox'), email);
}
