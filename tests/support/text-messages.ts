import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Texts of the text messages in an outbox to one telephone number, the latest last. */
export async function readMessages(outbox: string, phone: string): Promise<string[]> {
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.sms')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')));
  return texts.flatMap((text) => {
    const [to, ...lines] = text.split('\n');
    return to === phone ? [lines.join('\n').trim()] : [];
  });
}

/** The code in a text message, or an empty text if it has none. */
export const parseCode = (message = ''): string => /\d{6,}/.exec(message)?.[0] ?? '';
