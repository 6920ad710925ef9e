import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { realNowSql } from '../base/clock/sql-time.ts';
import type { Database } from '../database/open.ts';

/**
 * Codes by text message. `own`: for the browser that asked. `shared`: for all browsers that ask,
 * once the number is over its limits; it is longer, since the guesses at it have no limit.
 */
const CODES = { own: { digits: 6, minutes: 10 }, shared: { digits: 10, minutes: 60 } };

/** A shared code that ends sooner is replaced: people need time to read and to type. */
const MIN_SHARED_MINUTES = 10;

/** Until a shared code is replaced whose message may not have been sent. */
const UNSENT_MINUTES = 5;

/** Wrong codes that a request allows. */
const TRIES_PER_REQUEST = 5;

const inMinutes = (minutes: number) => sql<Date>`${realNowSql} + make_interval(mins => ${minutes}::int)`;

export type CodeKind = keyof typeof CODES;

export const newCode = (kind: CodeKind): string => {
  const { digits } = CODES[kind];
  return String(randomInt(10 ** digits)).padStart(digits, '0');
};

/** A request for a code. */
type CodeRequest = {
  storeId: string;
  /** in E.164 */
  phone: string;
  /** of the id that the browser keeps */
  requestHash: string;
};

/** Keeps the code that is sent for one request. */
export async function keepOwnCode(db: Database, request: CodeRequest, codeHash: string): Promise<void> {
  const { storeId, phone, requestHash } = request;
  await db
    .insertInto('phone_codes')
    .values({
      request_hash: requestHash,
      store_id: storeId,
      phone,
      code_hash: codeHash,
      expires_at: inMinutes(CODES.own.minutes),
    })
    .execute();
}

/**
 * Lets a request use the number's shared code.
 * @returns when its message was sent; undefined without one that works for long enough
 */
export async function joinSharedCode(db: Database, { storeId, phone, requestHash }: CodeRequest): Promise<Date | undefined> {
  const joined = await db
    .with('live', (qb) =>
      qb
        .selectFrom('shared_phone_codes')
        .selectAll()
        .where('store_id', '=', storeId)
        .where('phone', '=', phone)
        .where('expires_at', '>', inMinutes(MIN_SHARED_MINUTES))
        // A code that is being used up is joined by no request.
        .forShare(),
    )
    .with('request', (qb) =>
      qb
        .insertInto('phone_codes')
        .columns(['request_hash', 'store_id', 'phone', 'code_hash', 'expires_at'])
        .expression((eb) =>
          eb
            .selectFrom('live')
            .select(sql.val(requestHash).as('request_hash'))
            .select(['store_id', 'phone', 'code_hash', 'expires_at']),
        ),
    )
    .selectFrom('live')
    .select('sent_at')
    .executeTakeFirst();
  return joined?.sent_at;
}

/**
 * Makes a code the number's shared one, unless there is one that works for long enough. It is
 * replaced soon unless `keepSharedCode` follows.
 * @returns whether it is; of several calls at the same time, one makes it
 */
export async function beginSharedCode(
  db: Database,
  { storeId, phone }: Pick<CodeRequest, 'storeId' | 'phone'>,
  codeHash: string,
): Promise<boolean> {
  const begun = await db
    .insertInto('shared_phone_codes')
    .values({
      store_id: storeId,
      phone,
      code_hash: codeHash,
      sent_at: realNowSql,
      expires_at: inMinutes(MIN_SHARED_MINUTES + UNSENT_MINUTES),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'phone'])
        .doUpdateSet((eb) => ({
          code_hash: eb.ref('excluded.code_hash'),
          sent_at: eb.ref('excluded.sent_at'),
          expires_at: eb.ref('excluded.expires_at'),
        }))
        .where('shared_phone_codes.expires_at', '<=', inMinutes(MIN_SHARED_MINUTES)),
    )
    .returning('code_hash')
    .executeTakeFirst();
  return begun !== undefined;
}

/** Lets a shared code work for its whole time, now that its message was sent. */
export async function keepSharedCode(
  db: Database,
  { storeId, phone }: Pick<CodeRequest, 'storeId' | 'phone'>,
  codeHash: string,
): Promise<void> {
  for (const table of ['shared_phone_codes', 'phone_codes'] as const)
    await db
      .updateTable(table)
      .set({ expires_at: inMinutes(CODES.shared.minutes) })
      .where('store_id', '=', storeId)
      .where('phone', '=', phone)
      .where('code_hash', '=', codeHash)
      .execute();
}

/**
 * Counts a try of a request before it is looked at: tries at the same moment are tries, too.
 * @returns the hash of its code; undefined where it has none that works, or no try left
 */
export async function countTry(db: Database, { storeId, phone, requestHash }: CodeRequest): Promise<string | undefined> {
  const counted = await db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('request_hash', '=', requestHash)
    .where('store_id', '=', storeId)
    .where('phone', '=', phone)
    .where('tries', '<', TRIES_PER_REQUEST)
    .where('expires_at', '>', realNowSql)
    .returning('code_hash')
    .executeTakeFirst();
  return counted?.code_hash;
}

/** Takes a try back that was not looked at. */
export async function uncountTry(db: Database, { requestHash }: Pick<CodeRequest, 'requestHash'>): Promise<void> {
  await db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('request_hash', '=', requestHash)
    .execute();
}

type Codes = { storeId: string; phone: string; codeHash?: string };

/** Deletes a number's codes, or one of them, with all requests that may use it. */
async function deleteCodes(trx: Database, { storeId, phone, codeHash }: Codes): Promise<string[]> {
  let shared = trx.deleteFrom('shared_phone_codes').where('store_id', '=', storeId).where('phone', '=', phone);
  // In one order: two calls that delete the same requests do not lock each other out.
  let requests = trx
    .selectFrom('phone_codes')
    .select('request_hash')
    .where('store_id', '=', storeId)
    .where('phone', '=', phone)
    .orderBy('request_hash')
    .forUpdate();
  if (codeHash !== undefined) {
    shared = shared.where('code_hash', '=', codeHash);
    requests = requests.where('code_hash', '=', codeHash);
  }
  await shared.execute();
  const deleted = await trx.deleteFrom('phone_codes').where('request_hash', 'in', requests).returning('request_hash').execute();
  return deleted.map(({ request_hash }) => request_hash);
}

/**
 * Ends a code for all requests that may use it.
 * @returns the hashes of these requests
 */
export const endCode = (
  db: Database,
  { storeId, phone }: Pick<CodeRequest, 'storeId' | 'phone'>,
  codeHash: string,
): Promise<string[]> => db.transaction().execute((trx) => deleteCodes(trx, { storeId, phone, codeHash }));

/** Deletes all codes of some numbers, in the caller's transaction. */
export async function forgetCodes(trx: Database, storeId: string, phones: readonly string[]): Promise<void> {
  for (const phone of phones) await deleteCodes(trx, { storeId, phone });
}
