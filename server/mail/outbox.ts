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
   * the database's time at which the message was claimed from the queue; left out without a queue
   */
  takenAt?: Date;
  kind: 'eml' | 'sms';
  /** the customer whose account's deletion removes the file; null: the file stays */
  recipient: Recipient | null;
  content: Buffer | string;
};

const KEY_CHARS = 32;
/** Replaces the key in the names of files that stay when an account is deleted. */
const KEEP_MARK = 'stays';
/** Matches a file's name, with its time and key; files of older versions have no key. */
const FILE_NAME_PATTERN = new RegExp(`^(\\S+) [\\w-]+(?: ([0-9a-f]{${KEY_CHARS}}|${KEEP_MARK}))?\\.(?:eml|sms)(?:\\.part)?$`);

const isMissing = (error: unknown): boolean => error instanceof Error && Reflect.get(error, 'code') === 'ENOENT';

/** Formats a time for a file's name, without colons. */
const formatTime = (time: Date): string => time.toISOString().replaceAll(':', '-');
/** Parses a file's time, in ms since 1970. */
const parseTime = (name: string): number => Date.parse(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));

/** Returns an e-mail's header, each field on one line (RFC 5322, 2.2.3). */
const readHeader = (text: string): string => (text.split(/\r?\n\r?\n/, 1)[0] ?? '').replaceAll(/\r?\n[ \t]+/g, ' ');

/** Returns a message's recipient: from an e-mail's header, or a text message's first line. */
const readAddress = (text: string): string | undefined =>
  /^(\+\d+)\n/.exec(text)?.[1] ?? /^To: *(?:.*<)?([^<>]+?)>? *$/m.exec(readHeader(text))?.[1];

/** The store id in the keys of files of older versions, whose names have no key. */
const ANY_STORE = null;

function emptyIfMissing(error: unknown): string {
  if (isMissing(error)) return '';
  throw error;
}

/** Reads the database's current time, not the time of the transaction's start. */
async function readDatabaseTime(db: Database): Promise<Date> {
  const { now } = await db.selectNoFrom(realMomentSql.as('now')).executeTakeFirstOrThrow();
  return now;
}

/**
 * The folder for e-mails and text messages in shops without a mail server or SMS gateway, one file
 * each: `{time} {id} {recipient key}.eml`. With the key, an HMAC of the address with the shops'
 * secret, each process finds a deleted account's files in its own folder. The time is the
 * database's, since the clocks of several computers differ.
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
    const time = formatTime(takenAt ?? (await readDatabaseTime(this.#db)));
    const name = [time, id, recipient === null ? KEEP_MARK : this.#computeKey(recipient)].join(' ');
    const file = join(this.#folder, `${name}.${kind}`);
    // Written under another name first, so that readers never see half a message.
    await writeFile(`${file}.part`, content, { mode: 0o600 });
    await rename(`${file}.part`, file);
  }

  /** Removes the message with this id, which was written during the deletion of its account. */
  async removeMessage(id: string): Promise<void> {
    const names = await this.#readNames();
    await Promise.all(names.filter((name) => name.split(/[ .]/).includes(id)).map((name) => this.#removeFile(name)));
  }

  /**
   * Stores, in the database transaction that deletes an account, that every process must remove the
   * files to these recipients.
   */
  async forget(trx: Database, recipients: Recipient[]): Promise<void> {
    if (recipients.length === 0) return;
    const now = await readDatabaseTime(trx);
    const rows = recipients.flatMap(({ storeId, address }) =>
      [storeId, ANY_STORE].map((keyStoreId) => ({
        store_id: storeId,
        recipient_key: this.#computeKey({ storeId: keyStoreId, address }),
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
   * Removes the files to forgotten recipients from this process's folder. Files written later
   * belong to a new account with the address.
   * @returns the number of removed files
   */
  async removeForgotten(): Promise<number> {
    await this.#addKeys();
    const rows = await this.#db
      .selectFrom('forgotten_recipients')
      .select(['recipient_key', 'forgotten_at'])
      .orderBy('forgotten_at')
      .execute();
    // Several stores may have a row for the same `ANY_STORE` key: the latest row counts.
    const forgottenAtByKey = new Map(rows.map((row) => [row.recipient_key, row.forgotten_at.getTime()]));
    let removedCount = 0;
    for (const name of await this.#readNames()) {
      const [, time = '', key = ''] = FILE_NAME_PATTERN.exec(name) ?? [];
      const forgottenAt = forgottenAtByKey.get(key);
      if (forgottenAt === undefined || parseTime(time) > forgottenAt) continue;
      await this.#removeFile(name);
      removedCount += 1;
    }
    return removedCount;
  }

  /**
   * Adds the recipient's key to files of older versions. These do not name their store, so they are
   * removed with the first deleted account that has the address, in any store.
   */
  async #addKeys(): Promise<void> {
    for (const name of await this.#readNames()) {
      const match = FILE_NAME_PATTERN.exec(name);
      if (match === null || match[2] !== undefined) continue;
      const path = join(this.#folder, name);
      const address = readAddress(await readFile(path, 'utf8').catch(emptyIfMissing));
      const key = address === undefined ? KEEP_MARK : this.#computeKey({ storeId: ANY_STORE, address });
      await rename(path, path.replace(/\.(?:eml|sms)(?:\.part)?$/, ` ${key}$&`)).catch(emptyIfMissing);
    }
  }

  #computeKey({ storeId, address }: { storeId: string | typeof ANY_STORE; address: string }): string {
    const text = JSON.stringify(['outbox', storeId, emailKey(address)]);
    return createHmac('sha256', this.#secret).update(text).digest('hex').slice(0, KEY_CHARS);
  }

  #readNames(): Promise<string[]> {
    return readdir(this.#folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
  }

  #removeFile(name: string): Promise<void> {
    return rm(join(this.#folder, name), { force: true });
  }
}
