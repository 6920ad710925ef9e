import { sql } from 'kysely';
import { writeAuditLog } from '../kernel/audit.ts';
import { emailKey } from '../base/email.ts';
import { BadAmount, toMajor } from '../base/money.ts';
import { readClock } from '../kernel/clock-row.ts';
import { normalizeCode, formatCode } from '../base/code-text.ts';
import { InvalidCode, formatGrants } from '../codes/grants.ts';
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

async function makeNewCodes(db: Database, store: string, input: OperationInput) {
  const expiresAt = hasInput(input, 'expires') ? endOfDay(readDay(input, 'expires')) : null;
  if (expiresAt !== null && expiresAt.getTime() <= shopNow().getTime())
    throw new BadOperation(`expires must be a day that is not over, not ${readText(input, 'expires')}.`);
  const codeRequest = {
    grants: readText(input, 'grants'),
    ...(hasInput(input, 'code') ? { code: readText(input, 'code') } : {}),
    ...(hasInput(input, 'count') ? { count: readNumber(input, 'count', MAX_CODES) } : {}),
    uses: input['uses'] === 'unlimited' ? null : hasInput(input, 'uses') ? readNumber(input, 'uses', 1_000_000_000) : 1,
    expiresAt,
  };
  const isDryRun = input['dryRun'] === true;
  const codes = await makeCodes(db, store, codeRequest, isDryRun);
  const codeCount = codes.length === 1 ? '1 code' : `${codes.length} codes`;
  if (isDryRun) return { rows: [], message: `${codeCount} for ${codeRequest.grants} could be made in the store ${store}.` };
  return {
    rows: codes.map((code) => ({ code: formatCode(code) })),
    message: `Made ${codeCount} for ${codeRequest.grants} in the store ${store}.`,
  };
}

/** The last day on which a code is valid. */
const formatLastDay = (expires: Date | null): string =>
  expires === null ? '' : new Date(expires.getTime() - 1).toISOString().slice(0, 10);

async function listCodes(db: Database, store: string, input: OperationInput) {
  const rows = await db
    .selectFrom('codes')
    .selectAll()
    .where('store_id', '=', store)
    .where('code', '>', readAfter(input))
    .orderBy('code')
    .limit(PAGE_SIZE)
    .execute();
  const choices = rows.filter(({ kind }) => kind === 'titles').map(({ code }) => code);
  const choiceTitles =
    choices.length === 0
      ? []
      : await db
          .selectFrom('code_titles')
          .select(['code', 'title_id'])
          .where('store_id', '=', store)
          .where('code', 'in', choices)
          .orderBy('position')
          .execute();
  const titles = Map.groupBy(choiceTitles, ({ code }) => code);
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
async function withdrawCodes(db: Database, store: string, input: OperationInput): Promise<OperationResult> {
  const requestedCodes = [...new Set(readIds(input, 'code').map(normalizeCode))];
  if (requestedCodes.length === 0) throw new BadOperation('code must be a code, or several separated by commas.');
  const isDryRun = input['dryRun'] === true;
  return inTransaction(db, async (trx) => {
    const matchingCodes = trx
      .selectFrom('codes')
      .selectAll('codes')
      .where('codes.store_id', '=', store)
      .where('codes.code', 'in', requestedCodes);
    const rows = await matchingCodes.forUpdate().execute();
    const missingCode = requestedCodes.find((code) => rows.every((row) => row.code !== code));
    if (missingCode !== undefined)
      throw new BadOperation(`The store ${store} has no code ${formatCode(missingCode)}. Nothing was changed.`);
    const gift = await trx
      .selectFrom('gifts')
      .select('code')
      .where('store_id', '=', store)
      .where('code', 'in', requestedCodes)
      .limit(1)
      .executeTakeFirst();
    if (gift?.code)
      throw new BadOperation(
        `The code ${formatCode(gift.code)} opens a gift that was paid for: refund the order by purchases refund. Nothing was changed.`,
      );
    const validRows = rows.filter(({ withdrawn_at: withdrawnAt }) => withdrawnAt === null);
    if (!isDryRun)
      await trx
        .updateTable('codes')
        .set({ withdrawn_at: shopNow() })
        .where('store_id', '=', store)
        .where('code', 'in', requestedCodes)
        .where('withdrawn_at', 'is', null)
        .execute();
    const codeCount = validRows.length === 1 ? '1 code' : `${validRows.length} codes`;
    const earlierWithdrawals = rows.length - validRows.length;
    return {
      rows: rows.map(({ code, uses, uses_left: usesLeft, withdrawn_at: withdrawnAt }) => ({
        code: formatCode(code),
        uses,
        left: usesLeft,
        outcome: withdrawnAt !== null ? 'was withdrawn before' : isDryRun ? 'could be withdrawn' : 'withdrawn',
      })),
      message: `${codeCount} of the store ${store} ${isDryRun ? 'could be withdrawn' : 'withdrawn'}${earlierWithdrawals === 0 ? '' : `; ${earlierWithdrawals} before`}.`,
    };
  });
}

async function giveCredits(db: Database, store: string, input: OperationInput) {
  const email = readText(input, 'email');
  const cause = `given ${readText(input, 'key')}`;
  const amount = readNumber(input, 'amount', MAX_CREDITS);
  const customer = await db
    .selectFrom('users')
    .select('id')
    .where('store_id', '=', store)
    .where('email_key', '=', emailKey(email))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!customer) throw new BadOperation(`The store ${store} has no customer ${email}.`);
  const isDryRun = input['dryRun'] === true;
  const owner = { storeId: store, userId: customer.id };
  const isBooked = !isDryRun && (await inTransaction(db, (trx) => bookCredits(trx, owner, { cause, amount })));
  const existingBooking = await db
    .selectFrom('credits')
    .select('amount')
    .where('store_id', '=', store)
    .where('user_id', '=', customer.id)
    .where('cause', '=', cause)
    .executeTakeFirst();
  if (!isBooked && existingBooking && existingBooking.amount !== amount)
    throw new BadOperation(
      `With this key ${existingBooking.amount} credits were already given. Choose another key to give more.`,
    );
  const balance = await readBalance(db, owner);
  if (isBooked) await writeAuditLog(db, 'credits_given', owner);
  const outcome = isBooked ? 'has got' : existingBooking ? 'had got before, with the same key,' : 'could get';
  return { rows: [{ email, amount, balance }], message: `${email} ${outcome} ${amount} credits.` };
}

async function listPurchases(db: Database, store: string, input: OperationInput) {
  const after = readAfter(input);
  const [lastMoment = '', lastId = ''] = after.split(' ');
  // Cursors have milliseconds, so rows are compared in milliseconds, too; the column has
  // microseconds.
  const purchasedAt = sql<Date>`date_trunc('milliseconds', purchases.purchased_at)`;
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
    .$if(hasInput(input, 'from'), (query) => query.where('purchases.purchased_at', '>=', readDay(input, 'from')))
    .$if(hasInput(input, 'to'), (query) => query.where('purchases.purchased_at', '<', endOfDay(readDay(input, 'to'))))
    .$if(after !== '', (query) =>
      query.where(sql<boolean>`(${purchasedAt}, purchases.id) > (${parseMoment(lastMoment)}::timestamptz, ${lastId}::text)`),
    )
    .orderBy(purchasedAt)
    .orderBy('purchases.id')
    .limit(PAGE_SIZE)
    .execute();
  const lastRow = rows.at(-1);
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
    next: rows.length === PAGE_SIZE && lastRow ? `${lastRow.purchased_at.toISOString()} ${lastRow.id}` : undefined,
  };
}

const parseMoment = (text: string): Date => {
  const moment = new Date(text);
  if (Number.isNaN(moment.getTime())) throw new BadOperation('after must be the cursor that the previous page returned.');
  return moment;
};

const operations: Readonly<Record<string, AdminOperation>> = {
  'codes make': ({ db }, store, input) => makeNewCodes(db, store, input),
  'codes withdraw': ({ db }, store, input) => withdrawCodes(db, store, input),
  'codes list': ({ db }, store, input) => listCodes(db, store, input),
  'credits give': ({ db }, store, input) => giveCredits(db, store, input),
  'purchases list': ({ db }, store, input) => listPurchases(db, store, input),
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
async function resolveStore(db: Database, requestedStore: unknown): Promise<string> {
  const rows = await db.selectFrom('stores').select('id').orderBy('id').execute();
  const ids = rows.map(({ id }) => id);
  const [firstId] = ids;
  if (firstId === undefined) throw new BadOperation('There is no store yet.');
  if (requestedStore === undefined && ids.length === 1) return firstId;
  if (requestedStore === undefined) throw new BadOperation(`store must name one of ${ids.join(', ')}.`);
  if (typeof requestedStore !== 'string') throw new BadOperation('store must be the id of a store.');
  if (ids.includes(requestedStore)) return requestedStore;
  throw new BadOperation(`There is no store "${requestedStore}". Existing stores: ${ids.join(', ')}.`);
}

/** Runs an operator's command. @throws BadOperation */
export async function runOperation(
  context: OperationContext,
  name: string,
  { store, ...input }: OperationInput,
): Promise<OperationResult> {
  const storelessOperation = Object.hasOwn(storelessOperations, name) ? storelessOperations[name] : undefined;
  const operation = Object.hasOwn(operations, name) ? operations[name] : storelessOperation;
  if (!operation) throw new BadOperation(`Unknown operation "${name}".`);
  // Dates in operations are in the shop's time.
  await readClock(context.db);
  try {
    return await operation(context, storelessOperation ? '' : await resolveStore(context.db, store), input);
  } catch (error) {
    const isBad = error instanceof InvalidCode || error instanceof BadText || error instanceof BadAmount;
    throw isBad ? new BadOperation(error.message) : error;
  }
}
