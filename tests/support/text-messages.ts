import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The text messages in an outbox to one number, the latest last. */
export async function readMessages(outbox: string, phone: string): Promise<string[]> {
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.sms')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')));
  return texts.flatMap((text) => {
    const [to, ...lines] = text.split('\n');
    return to === phone ? [lines.join('\n').trim()] : [];
  });
}

/** The code in a message. */
export const parseCode = (message = ''): string => /\d{6,}/.exec(message)?.[0] ?? '';
