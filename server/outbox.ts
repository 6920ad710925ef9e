import { createHmac } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emailKey } from './accounts/email.ts';
import type { Database } from './database/open.ts';

/** An e-mail address, or a phone number in E.164, of a store's customer. */
export type Recipient = { storeId: string; address: string };

type Message = {
  id: string;
  kind: 'eml' | 'sms';
  /** the customer with whose account the file is removed; null where it stays */
  recipient: Recipient | null;
  content: Buffer | string;
};

const KEY_CHARS = 32;
const NAME = new RegExp(` (?:[\\w-]+) ([0-9a-f]{${KEY_CHARS}})\\.(?:eml|sms)(?:\\.part)?$`);

const isMissing = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'code') === 'ENOENT';

/**
 * The folder of e-mails and text messages that no server takes, a file for each: `{time} {id}
 * {recipient key}.eml`. By the key each shop process finds what a deleted account has left in its
 * own folder; it is a digest by the shops' secret.
 */
export class Outbox {
  readonly #folder: string;
  readonly #secret: Buffer;

  constructor(folder: string, secret: Buffer) {
    this.#folder = folder;
    this.#secret = secret;
  }

  async write({ id, kind, recipient, content }: Message): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const time = new Date().toISOString().replaceAll(':', '-');
    const name = [time, id, ...(recipient === null ? [] : [this.#keyOf(recipient)])].join(' ');
    const file = join(this.#folder, `${name}.${kind}`);
    // A reader of the folder never finds half a message.
    await writeFile(`${file}.part`, content, { mode: 0o600 });
    await rename(`${file}.part`, file);
  }

  /** Removes a message that was written while its account was deleted. */
  async removeMessage(id: string): Promise<void> {
    const names = await this.#names();
    await Promise.all(names.filter((name) => name.split(/[ .]/).includes(id)).map((name) => this.#remove(name)));
  }

  /**
   * Writes down, inside the transaction that deletes an account, that the files to these recipients
   * go, in every process.
   */
  async forget(trx: Database, recipients: Recipient[], now = new Date()): Promise<void> {
    if (recipients.length === 0) return;
    const rows = recipients.map((each) => ({ store_id: each.storeId, recipient_key: this.#keyOf(each), forgotten_at: now }));
    await trx
      .insertInto('forgotten_recipients')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['store_id', 'recipient_key']).doUpdateSet({ forgotten_at: now }))
      .execute();
  }

  /**
   * Removes the files to forgotten recipients from this process's folder. Later ones are to a new
   * account with the address.
   */
  async removeForgotten(db: Database): Promise<void> {
    const rows = await db.selectFrom('forgotten_recipients').select(['recipient_key', 'forgotten_at']).execute();
    if (rows.length === 0) return;
    const forgotten = new Map(rows.map((row) => [row.recipient_key, row.forgotten_at.getTime()]));
    for (const name of await this.#names()) {
      const forgottenAt = forgotten.get(NAME.exec(name)?.[1] ?? '');
      if (forgottenAt !== undefined && (await this.#writtenAt(name)) <= forgottenAt) await this.#remove(name);
    }
  }

  #keyOf({ storeId, address }: Recipient): string {
    const text = JSON.stringify(['outbox', storeId, emailKey(address)]);
    return createHmac('sha256', this.#secret).update(text).digest('hex').slice(0, KEY_CHARS);
  }

  #names(): Promise<string[]> {
    return readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
  }

  /** In milliseconds since 1970; infinity for a file that is gone. */
  #writtenAt(name: string): Promise<number> {
    return stat(join(this.#folder, name)).then(
      ({ mtimeMs }) => mtimeMs,
      (error: unknown) => {
        if (isMissing(error)) return Number.POSITIVE_INFINITY;
        throw error;
      },
    );
  }

  #remove(name: string): Promise<void> {
    return rm(join(this.#folder, name), { force: true });
  }
}
