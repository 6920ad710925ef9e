import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { realNowSql } from '../base/clock/sql-time.ts';
import type { Database } from '../database/open.ts';

/**
 * The length and lifetime of codes sent by text message. `own`: for the requesting browser.
 * `shared`: for all requesting browsers once the number's limits are exceeded; it is longer,
 * because guesses at it are not limited.
 */
const CODE_RULES = { own: { digits: 6, minutes: 10 }, shared: { digits: 10, minutes: 60 } };

/**
 * Remaining minutes below which a shared code is replaced: customers need time to read and enter
 * it.
 */
const MIN_SHARED_MINUTES = 10;

/** Minutes after which a shared code is replaced unless its message was certainly sent. */
const UNSENT_MINUTES = 5;

/** Maximum attempts to enter the code of a request. */
const MAX_TRIES_PER_REQUEST = 5;

const addMinutesSql = (minutes: number) => sql<Date>`${realNowSql} + make_interval(mins => ${minutes}::int)`;

export type CodeKind = keyof typeof CODE_RULES;

export const generatePhoneCode = (kind: CodeKind): string => {
  const { digits } = CODE_RULES[kind];
  return String(randomInt(10 ** digits)).padStart(digits, '0');
};

/** A request for a code. */
type CodeRequest = {
  storeId: string;
  /** in E.164 */
  phone: string;
  /** hash of the id that the browser stores */
  requestHash: string;
};

/** Stores the code that is sent for one request. */
export async function saveOwnCode(db: Database, request: CodeRequest, codeHash: string): Promise<void> {
  const { storeId, phone, requestHash } = request;
  await db
    .insertInto('phone_codes')
    .values({
      request_hash: requestHash,
      store_id: storeId,
      phone,
      code_hash: codeHash,
      expires_at: addMinutesSql(CODE_RULES.own.minutes),
    })
    .execute();
}

/**
 * Attaches a request to the number's shared code.
 * @returns the time at which the code's message was sent; undefined if no shared code is valid for
 * long enough
 */
export async function joinSharedCode(db: Database, { storeId, phone, requestHash }: CodeRequest): Promise<Date | undefined> {
  const joinedCode = await db
    .with('live', (qb) =>
      qb
        .selectFrom('shared_phone_codes')
        .selectAll()
        .where('store_id', '=', storeId)
        .where('phone', '=', phone)
        .where('expires_at', '>', addMinutesSql(MIN_SHARED_MINUTES))
        // Requests must not join a code that is being consumed.
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
  return joinedCode?.sent_at;
}

/**
 * Stores a code as the number's shared code, unless a shared code is valid for long enough. Without
 * a following `activateSharedCode` it is replaced after `UNSENT_MINUTES`.
 * @returns whether the code was stored; of concurrent calls, one stores its code
 */
export async function startSharedCode(
  db: Database,
  { storeId, phone }: Pick<CodeRequest, 'storeId' | 'phone'>,
  codeHash: string,
): Promise<boolean> {
  const insertedRow = await db
    .insertInto('shared_phone_codes')
    .values({
      store_id: storeId,
      phone,
      code_hash: codeHash,
      sent_at: realNowSql,
      expires_at: addMinutesSql(MIN_SHARED_MINUTES + UNSENT_MINUTES),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'phone'])
        .doUpdateSet((eb) => ({
          code_hash: eb.ref('excluded.code_hash'),
          sent_at: eb.ref('excluded.sent_at'),
          expires_at: eb.ref('excluded.expires_at'),
        }))
        .where('shared_phone_codes.expires_at', '<=', addMinutesSql(MIN_SHARED_MINUTES)),
    )
    .returning('code_hash')
    .executeTakeFirst();
  return insertedRow !== undefined;
}

/** Extends a shared code to its full validity after its message was sent. */
export async function activateSharedCode(
  db: Database,
  { storeId, phone }: Pick<CodeRequest, 'storeId' | 'phone'>,
  codeHash: string,
): Promise<void> {
  for (const table of ['shared_phone_codes', 'phone_codes'] as const)
    await db
      .updateTable(table)
      .set({ expires_at: addMinutesSql(CODE_RULES.shared.minutes) })
      .where('store_id', '=', storeId)
      .where('phone', '=', phone)
      .where('code_hash', '=', codeHash)
      .execute();
}

/**
 * Counts an attempt before it is checked, so that concurrent attempts count, too.
 * @returns the hash of the request's code; undefined without a valid code, or without attempts left
 */
export async function countTry(db: Database, { storeId, phone, requestHash }: CodeRequest): Promise<string | undefined> {
  const countedRow = await db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('request_hash', '=', requestHash)
    .where('store_id', '=', storeId)
    .where('phone', '=', phone)
    .where('tries', '<', MAX_TRIES_PER_REQUEST)
    .where('expires_at', '>', realNowSql)
    .returning('code_hash')
    .executeTakeFirst();
  return countedRow?.code_hash;
}

/** Undoes the count of an attempt that was not checked. */
export async function uncountTry(db: Database, { requestHash }: Pick<CodeRequest, 'requestHash'>): Promise<void> {
  await db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('request_hash', '=', requestHash)
    .execute();
}

/** A number's codes; with `codeHash`, only the code with this hash. */
type Codes = { storeId: string; phone: string; codeHash?: string };

/** Deletes codes with all attached requests. @returns the hashes of these requests */
async function deleteCodes(trx: Database, { storeId, phone, codeHash }: Codes): Promise<string[]> {
  let sharedCodes = trx.deleteFrom('shared_phone_codes').where('store_id', '=', storeId).where('phone', '=', phone);
  // Ordered, so that concurrent deletions of the same requests cannot deadlock.
  let requests = trx
    .selectFrom('phone_codes')
    .select('request_hash')
    .where('store_id', '=', storeId)
    .where('phone', '=', phone)
    .orderBy('request_hash')
    .forUpdate();
  if (codeHash !== undefined) {
    sharedCodes = sharedCodes.where('code_hash', '=', codeHash);
    requests = requests.where('code_hash', '=', codeHash);
  }
  await sharedCodes.execute();
  const deletedRequests = await trx
    .deleteFrom('phone_codes')
    .where('request_hash', 'in', requests)
    .returning('request_hash')
    .execute();
  return deletedRequests.map(({ request_hash }) => request_hash);
}

/**
 * Deletes a code for all attached requests.
 * @returns the hashes of these requests
 */
export const endCode = (
  db: Database,
  { storeId, phone }: Pick<CodeRequest, 'storeId' | 'phone'>,
  codeHash: string,
): Promise<string[]> => db.transaction().execute((trx) => deleteCodes(trx, { storeId, phone, codeHash }));

/** Deletes all codes of some numbers, in the caller's database transaction. */
export async function forgetCodes(trx: Database, storeId: string, phones: readonly string[]): Promise<void> {
  for (const phone of phones) await deleteCodes(trx, { storeId, phone });
}
