import { createHmac } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realMomentSql } from '../base/clock/sql-time.ts';
import { emailKey } from '../base/email.ts';
import type { Database } from '../database/open.ts';

/** An e-mail address, or a phone number in E.164, of a store's customer. */
export type Recipient = { storeId: string; address: string };

type Message = {
  id: string;
  /**
   * the time by the database when it was taken from the queue; left out for a message without a
   * queue
   */
  takenAt?: Date;
  kind: 'eml' | 'sms';
  /** the customer with whose account the file is removed; null where it stays */
  recipient: Recipient | null;
  content: Buffer | string;
};

const KEY_CHARS = 32;
/** In place of a key: a file that stays. */
const STAYS = 'stays';
/** A file's time and its key; files of older versions have no key. */
const NAME = new RegExp(`^(\\S+) [\\w-]+(?: ([0-9a-f]{${KEY_CHARS}}|${STAYS}))?\\.(?:eml|sms)(?:\\.part)?$`);

const isMissing = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'code') === 'ENOENT';

/** The time as part of a file's name, without colons, and back, in milliseconds since 1970. */
const nameOfTime = (time: Date): string => time.toISOString().replaceAll(':', '-');
const timeOfName = (name: string): number => Date.parse(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));

/** An e-mail's header, each field on one line (RFC 5322, 2.2.3). */
const headerOf = (text: string): string => (text.split(/\r?\n\r?\n/, 1)[0] ?? '').replaceAll(/\r?\n[ \t]+/g, ' ');

/** The recipient that a message names: in its header, or a text message's first line. */
const addressIn = (text: string): string | undefined =>
  /^(\+\d+)\n/.exec(text)?.[1] ?? /^To: *(?:.*<)?([^<>]+?)>? *$/m.exec(headerOf(text))?.[1];

/** The store of files from before names had keys. */
const ANY_STORE = null;

function emptyIfMissing(error: unknown): string {
  if (isMissing(error)) return '';
  throw error;
}

/** The database's time now, not that of the transaction's beginning. */
async function timeOf(db: Database): Promise<Date> {
  const { now } = await db.selectNoFrom(realMomentSql.as('now')).executeTakeFirstOrThrow();
  return now;
}

/**
 * The folder of e-mails and text messages that no server takes, a file for each: `{time} {id}
 * {recipient key}.eml`. By the key each shop process finds what a deleted account has left in its
 * own folder; it is a digest by the shops' secret. The time is that of the database, since clocks
 * of several machines differ.
 */
export class Outbox {
  readonly #folder: string;
  readonly #secret: Buffer;
  readonly #db: Database;

  constructor(folder: string, secret: Buffer, db: Database) {
    this.#folder = folder;
    this.#secret = secret;
    this.#db = db;
  }

  async write({ id, takenAt, kind, recipient, content }: Message): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const time = nameOfTime(takenAt ?? (await timeOf(this.#db)));
    const name = [time, id, recipient === null ? STAYS : this.#keyOf(recipient)].join(' ');
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
  async forget(trx: Database, recipients: Recipient[]): Promise<void> {
    if (recipients.length === 0) return;
    const now = await timeOf(trx);
    const rows = recipients.flatMap(({ storeId, address }) =>
      [storeId, ANY_STORE].map((keyed) => ({
        store_id: storeId,
        recipient_key: this.#keyOf({ storeId: keyed, address }),
        forgotten_at: now,
      })),
    );
    await trx
      .insertInto('forgotten_recipients')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['store_id', 'recipient_key']).doUpdateSet({ forgotten_at: now }))
      .execute();
  }

  /**
   * Removes the files to forgotten recipients from this process's folder. Later ones are to a new
   * account with the address.
   * @returns how many were removed
   */
  async removeForgotten(): Promise<number> {
    await this.#addKeys();
    const rows = await this.#db
      .selectFrom('forgotten_recipients')
      .select(['recipient_key', 'forgotten_at'])
      .orderBy('forgotten_at')
      .execute();
    // Several stores may have forgotten one key for any store: the last one counts.
    const forgotten = new Map(rows.map((row) => [row.recipient_key, row.forgotten_at.getTime()]));
    let removed = 0;
    for (const name of await this.#names()) {
      const [, time = '', key = ''] = NAME.exec(name) ?? [];
      const forgottenAt = forgotten.get(key);
      if (forgottenAt === undefined || timeOfName(time) > forgottenAt) continue;
      await this.#remove(name);
      removed += 1;
    }
    return removed;
  }

  /**
   * Gives files of older versions the key of their recipient. They do not name their store: they go
   * with the first account that has the address, in any store.
   */
  async #addKeys(): Promise<void> {
    for (const name of await this.#names()) {
      const match = NAME.exec(name);
      if (match === null || match[2] !== undefined) continue;
      const path = join(this.#folder, name);
      const address = addressIn(await readFile(path, 'utf8').catch(emptyIfMissing));
      const key = address === undefined ? STAYS : this.#keyOf({ storeId: ANY_STORE, address });
      await rename(path, path.replace(/\.(?:eml|sms)(?:\.part)?$/, ` ${key}$&`)).catch(emptyIfMissing);
    }
  }

  #keyOf({ storeId, address }: { storeId: string | typeof ANY_STORE; address: string }): string {
    const text = JSON.stringify(['outbox', storeId, emailKey(address)]);
    return createHmac('sha256', this.#secret).update(text).digest('hex').slice(0, KEY_CHARS);
  }

  #names(): Promise<string[]> {
    return readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
  }

  #remove(name: string): Promise<void> {
    return rm(join(this.#folder, name), { force: true });
  }
}
