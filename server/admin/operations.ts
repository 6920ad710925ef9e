import { sql } from 'kysely';
import { writeAuditLog } from '../kernel/audit.ts';
import { emailKey } from '../base/email.ts';
import { BadAmount, toMajor } from '../base/money.ts';
import { readClock } from '../kernel/clock-row.ts';
import { normalizeCode, formatCode } from '../base/code-text.ts';
import { BadCode, formatGrants } from '../codes/grants.ts';
import { makeCodes, MAX_CODES } from '../codes/make-codes.ts';
import { type Database, inTransaction } from '../database/open.ts';
import { BadText } from '../base/language.ts';
import { importOperations } from './import-operations.ts';
import { readBalance, bookCredits } from '../subscriptions/credits.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import {
  readAfter,
  readDay,
  endOfDay,
  type OperationInput,
  hasInput,
  readNumber,
  type AdminOperation,
  type OperationContext,
  PAGE_SIZE,
  readIds,
  readText,
  type OperationResult,
} from './operation-input.ts';
import { ledgerOperations } from './ledger-operations.ts';
import { currencyOperations } from './currency-operations.ts';
import { campaignOperations } from './campaign-operations.ts';
import { clockOperations } from './clock-operations.ts';
import { planOperations } from './plan-operations.ts';
import { propertyOperations } from './property-operations.ts';
import { refundOperations } from './refund-operations.ts';
import { storeOperations } from './store-operations.ts';
import { taxOperations } from './tax-operations.ts';
import { titleOperations } from './title-operations.ts';
import { shopNow } from '../base/clock/time.ts';

const MAX_CREDITS = 1_000_000;

async function codesMake(db: Database, store: string, given: OperationInput) {
  const expiresAt = hasInput(given, 'expires') ? endOfDay(readDay(given, 'expires')) : null;
  if (expiresAt !== null && expiresAt.getTime() <= shopNow().getTime())
    throw new BadOperation(`expires must be a day that is not over, not ${readText(given, 'expires')}.`);
  const wanted = {
    grants: readText(given, 'grants'),
    ...(hasInput(given, 'code') ? { code: readText(given, 'code') } : {}),
    ...(hasInput(given, 'count') ? { count: readNumber(given, 'count', MAX_CODES) } : {}),
    uses: given['uses'] === 'unlimited' ? null : hasInput(given, 'uses') ? readNumber(given, 'uses', 1_000_000_000) : 1,
    expiresAt,
  };
  const isDryRun = given['dryRun'] === true;
  const codes = await makeCodes(db, store, wanted, isDryRun);
  const many = codes.length === 1 ? '1 code' : `${codes.length} codes`;
  if (isDryRun) return { rows: [], says: `${many} for ${wanted.grants} could be made in the store ${store}.` };
  return {
    rows: codes.map((code) => ({ code: formatCode(code) })),
    says: `Made ${many} for ${wanted.grants} in the store ${store}.`,
  };
}

/** The last day on which a code is valid. */
const formatLastDay = (expires: Date | null): string =>
  expires === null ? '' : new Date(expires.getTime() - 1).toISOString().slice(0, 10);

async function codesList(db: Database, store: string, given: OperationInput) {
  const rows = await db
    .selectFrom('codes')
    .selectAll()
    .where('store_id', '=', store)
    .where('code', '>', readAfter(given))
    .orderBy('code')
    .limit(PAGE_SIZE)
    .execute();
  const choices = rows.filter(({ kind }) => kind === 'titles').map(({ code }) => code);
  const offered =
    choices.length === 0
      ? []
      : await db
          .selectFrom('code_titles')
          .select(['code', 'title_id'])
          .where('store_id', '=', store)
          .where('code', 'in', choices)
          .orderBy('position')
          .execute();
  const titles = Map.groupBy(offered, ({ code }) => code);
  return {
    rows: rows.map((row) => ({
      code: formatCode(row.code),
      grants: formatGrants({ ...row, titles: titles.get(row.code)?.map((each) => each.title_id) ?? [] }),
      uses: row.uses,
      left: row.uses_left,
      expires: formatLastDay(row.expires_at),
      withdrawn: row.withdrawn_at?.toISOString() ?? '',
      made: row.made_at.toISOString(),
    })),
    next: rows.length === PAGE_SIZE ? rows.at(-1)?.code : undefined,
  };
}

/** Withdraws codes so that they can no longer be used; titles and credits that they gave stay. */
async function codesWithdraw(db: Database, store: string, given: OperationInput): Promise<OperationResult> {
  const wanted = [...new Set(readIds(given, 'code').map(normalizeCode))];
  if (wanted.length === 0) throw new BadOperation('code must be a code, or several separated by commas.');
  const isDryRun = given['dryRun'] === true;
  return inTransaction(db, async (trx) => {
    const own = trx.selectFrom('codes').selectAll('codes').where('codes.store_id', '=', store).where('codes.code', 'in', wanted);
    const rows = await own.forUpdate().execute();
    const missing = wanted.find((code) => rows.every((row) => row.code !== code));
    if (missing !== undefined)
      throw new BadOperation(`The store ${store} has no code ${formatCode(missing)}. Nothing was changed.`);
    const gift = await trx
      .selectFrom('gifts')
      .select('code')
      .where('store_id', '=', store)
      .where('code', 'in', wanted)
      .limit(1)
      .executeTakeFirst();
    if (gift?.code)
      throw new BadOperation(
        `The code ${formatCode(gift.code)} opens a gift that was paid for: refund the order by purchases refund. Nothing was changed.`,
      );
    const still = rows.filter(({ withdrawn_at: at }) => at === null);
    if (!isDryRun)
      await trx
        .updateTable('codes')
        .set({ withdrawn_at: shopNow() })
        .where('store_id', '=', store)
        .where('code', 'in', wanted)
        .where('withdrawn_at', 'is', null)
        .execute();
    const many = still.length === 1 ? '1 code' : `${still.length} codes`;
    const before = rows.length - still.length;
    return {
      rows: rows.map(({ code, uses, uses_left: left, withdrawn_at: at }) => ({
        code: formatCode(code),
        uses,
        left,
        outcome: at !== null ? 'was withdrawn before' : isDryRun ? 'could be withdrawn' : 'withdrawn',
      })),
      says: `${many} of the store ${store} ${isDryRun ? 'could be withdrawn' : 'withdrawn'}${before === 0 ? '' : `; ${before} before`}.`,
    };
  });
}

async function creditsGive(db: Database, store: string, given: OperationInput) {
  const email = readText(given, 'email');
  const cause = `given ${readText(given, 'key')}`;
  const amount = readNumber(given, 'amount', MAX_CREDITS);
  const customer = await db
    .selectFrom('users')
    .select('id')
    .where('store_id', '=', store)
    .where('email_key', '=', emailKey(email))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!customer) throw new BadOperation(`The store ${store} has no customer ${email}.`);
  const isDryRun = given['dryRun'] === true;
  const owner = { storeId: store, userId: customer.id };
  const booked = !isDryRun && (await inTransaction(db, (trx) => bookCredits(trx, owner, { cause, amount })));
  const before = await db
    .selectFrom('credits')
    .select('amount')
    .where('store_id', '=', store)
    .where('user_id', '=', customer.id)
    .where('cause', '=', cause)
    .executeTakeFirst();
  if (!booked && before && before.amount !== amount)
    throw new BadOperation(`With this key ${before.amount} credits were already given. Choose another key to give more.`);
  const balance = await readBalance(db, owner);
  if (booked) await writeAuditLog(db, 'credits_given', owner);
  const has = booked ? 'has got' : before ? 'had got before, with the same key,' : 'could get';
  return { rows: [{ email, amount, balance }], says: `${email} ${has} ${amount} credits.` };
}

async function purchasesList(db: Database, store: string, given: OperationInput) {
  const after = readAfter(given);
  const [when = '', last = ''] = after.split(' ');
  // Cursors have milliseconds, so rows are compared in milliseconds, too; the column has
  // microseconds.
  const at = sql<Date>`date_trunc('milliseconds', purchases.purchased_at)`;
  const rows = await db
    .selectFrom('purchases')
    .innerJoin('users', (join) =>
      join.onRef('users.store_id', '=', 'purchases.store_id').onRef('users.id', '=', 'purchases.user_id'),
    )
    .leftJoin('titles', (join) =>
      join.onRef('titles.store_id', '=', 'purchases.store_id').onRef('titles.id', '=', 'purchases.title_id'),
    )
    .select(['purchases.id', 'purchases.kind', 'purchases.title_id', 'purchases.amount_minor', 'purchases.currency'])
    .select(['purchases.purchased_at', 'purchases.transaction_id', 'purchases.refunded_at', 'users.email', 'titles.name'])
    .where('purchases.store_id', '=', store)
    .$if(hasInput(given, 'from'), (query) => query.where('purchases.purchased_at', '>=', readDay(given, 'from')))
    .$if(hasInput(given, 'to'), (query) => query.where('purchases.purchased_at', '<', endOfDay(readDay(given, 'to'))))
    .$if(after !== '', (query) =>
      query.where(sql<boolean>`(${at}, purchases.id) > (${parseMoment(when)}::timestamptz, ${last}::text)`),
    )
    .orderBy(at)
    .orderBy('purchases.id')
    .limit(PAGE_SIZE)
    .execute();
  const end = rows.at(-1);
  return {
    rows: rows.map((row) => ({
      purchase: row.id,
      at: row.purchased_at.toISOString(),
      email: row.email,
      kind: row.kind,
      title: row.title_id ?? '',
      name: row.name ?? '',
      paid: row.currency === null ? '' : toMajor(row.amount_minor, row.currency),
      currency: row.currency ?? '',
      transaction: row.transaction_id ?? '',
      refunded: row.refunded_at?.toISOString() ?? '',
    })),
    next: rows.length === PAGE_SIZE && end ? `${end.purchased_at.toISOString()} ${end.id}` : undefined,
  };
}

const parseMoment = (text: string): Date => {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw new BadOperation('after must be the cursor that the previous page returned.');
  return moment;
};

const operations: Readonly<Record<string, AdminOperation>> = {
  'codes make': ({ db }, store, given) => codesMake(db, store, given),
  'codes withdraw': ({ db }, store, given) => codesWithdraw(db, store, given),
  'codes list': ({ db }, store, given) => codesList(db, store, given),
  'credits give': ({ db }, store, given) => creditsGive(db, store, given),
  'purchases list': ({ db }, store, given) => purchasesList(db, store, given),
  ...currencyOperations,
  ...propertyOperations,
  ...titleOperations,
  ...planOperations,
  ...campaignOperations,
  ...importOperations,
  ...ledgerOperations,
  ...refundOperations,
  ...taxOperations,
};

const storelessOperations: Readonly<Record<string, AdminOperation>> = { ...storeOperations, ...clockOperations };

/** The store that an operation is for: the named one, or the only one. @throws BadOperation */
async function resolveStore(db: Database, named: unknown): Promise<string> {
  const rows = await db.selectFrom('stores').select('id').orderBy('id').execute();
  const ids = rows.map(({ id }) => id);
  const [first] = ids;
  if (first === undefined) throw new BadOperation('There is no store yet.');
  if (named === undefined && ids.length === 1) return first;
  if (named === undefined) throw new BadOperation(`store must name one of ${ids.join(', ')}.`);
  if (typeof named !== 'string') throw new BadOperation('store must be the id of a store.');
  if (ids.includes(named)) return named;
  throw new BadOperation(`There is no store "${named}". Existing stores: ${ids.join(', ')}.`);
}

/** Runs an operator's command. @throws BadOperation */
export async function runOperation(
  operator: OperationContext,
  name: string,
  { store, ...given }: OperationInput,
): Promise<OperationResult> {
  const ofNoStore = Object.hasOwn(storelessOperations, name) ? storelessOperations[name] : undefined;
  const operation = Object.hasOwn(operations, name) ? operations[name] : ofNoStore;
  if (!operation) throw new BadOperation(`Unknown operation "${name}".`);
  // Dates in operations are in the shop's time.
  await readClock(operator.db);
  try {
    return await operation(operator, ofNoStore ? '' : await resolveStore(operator.db, store), given);
  } catch (error) {
    const isBad = error instanceof BadCode || error instanceof BadText || error instanceof BadAmount;
    throw isBad ? new BadOperation(error.message) : error;
  }
}
