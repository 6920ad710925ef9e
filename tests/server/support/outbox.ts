import { join } from 'node:path';
import type { Email } from 'postal-mime';
import { sendLetters } from '../../../server/jobs/send-letters.ts';
import { lettersIn } from '../../../tools/shop/letters.ts';
import type { Shop } from './shop.ts';

/** Sends what is due; then the mails that one address has got, the latest last. */
export async function sentTo(shop: Shop, email: string): Promise<Email[]> {
  await sendLetters(shop.services);
  return lettersIn(join(shop.folder, 'outbox'), email);
}
