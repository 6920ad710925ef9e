import { type Database, inTransaction, isUniqueViolation } from '../database/open.ts';
import { generateCode, normalizeCode } from '../base/code-text.ts';
import { InvalidCode, parseGrants, type Grants } from './grants.ts';

/** A batch of codes with the same benefit and limits. */
export type NewCodes = {
  /** the benefit, in the syntax of `parseGrants` */
  grants: string;
  /** the text of a single code; left out: `count` random codes that cannot be guessed */
  code?: string;
  count?: number;
  /** end of validity; null: the codes do not expire */
  expiresAt?: Date | null;
  /** uses of each code, each by another customer; null: unlimited */
  uses?: number | null;
  /** remaining uses of each code; left out: `uses` */
  usesLeft?: number | null;
};

export const MAX_CODES = 100_000;
const MIN_CODE_CHARS = 4;
const MAX_CODE_CHARS = 64;
/** Rows of one statement: it stays below the database's maximum number of parameters. */
const BATCH_SIZE = 500;

const toColumns = (grants: Grants) => ({
  kind: grants.kind,
  title_id: grants.kind === 'title' || grants.kind === 'discount' ? grants.titleId : null,
  plan_id: grants.kind === 'subscription' ? grants.planId : null,
  trial_days: grants.kind === 'subscription' ? grants.trialDays : null,
  credits: grants.kind === 'credits' ? grants.credits : null,
  percent_off: grants.kind === 'discount' ? grants.percentOff : null,
});

async function assertGrantsExist(db: Database, storeId: string, grants: Grants): Promise<void> {
  const { title_id: titleId, plan_id: planId } = toColumns(grants);
  const titleIds = grants.kind === 'titles' ? grants.titleIds : titleId === null ? [] : [titleId];
  if (titleIds.length > 0) {
    const rows = await db.selectFrom('titles').select('id').where('store_id', '=', storeId).where('id', 'in', titleIds).execute();
    const missingId = titleIds.find((id) => !rows.some((row) => row.id === id));
    if (missingId !== undefined) throw new InvalidCode(`The store ${storeId} has no title ${missingId}.`);
  }
  if (planId === null) return;
  const plan = await db
    .selectFrom('plans')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', planId)
    .executeTakeFirst();
  if (!plan) throw new InvalidCode(`The store ${storeId} has no plan ${planId}.`);
}

const CODE_PATTERN = /^[\p{L}\p{N}]+$/u;

function toCodeTexts({ code, count = 1 }: NewCodes): string[] {
  if (!Number.isInteger(count) || count < 1 || count > MAX_CODES)
    throw new InvalidCode(`The number of codes must be from 1 to ${MAX_CODES}, not ${count}.`);
  if (code === undefined) return Array.from({ length: count }, generateCode);
  const normalizedCode = normalizeCode(code);
  if (count !== 1) throw new InvalidCode(`A code with a given text must be the only one: expected the number 1, not ${count}.`);
  if (!CODE_PATTERN.test(normalizedCode) || normalizedCode.length < MIN_CODE_CHARS || normalizedCode.length > MAX_CODE_CHARS)
    throw new InvalidCode(`A code is ${MIN_CODE_CHARS} to ${MAX_CODE_CHARS} letters and digits, not "${code}".`);
  return [normalizedCode];
}

/**
 * Creates all of the codes, or none.
 * @param isDryRun only checks the input
 * @returns the codes in their stored form
 * @throws InvalidCode
 */
export async function makeCodes(db: Database, storeId: string, newCodes: NewCodes, isDryRun = false): Promise<string[]> {
  const { uses = 1, expiresAt = null } = newCodes;
  if (uses !== null && (!Number.isInteger(uses) || uses < 1))
    throw new InvalidCode(`The uses of a code must be a whole number from 1, not ${uses}.`);
  if (expiresAt !== null && Number.isNaN(expiresAt.getTime())) throw new InvalidCode('The date of expiry is invalid.');
  const grants = parseGrants(newCodes.grants);
  const texts = toCodeTexts(newCodes);
  await assertGrantsExist(db, storeId, grants);
  if (isDryRun) return texts;
  const usesLeft = newCodes.usesLeft === undefined ? uses : newCodes.usesLeft;
  const row = { ...toColumns(grants), store_id: storeId, uses, uses_left: usesLeft, expires_at: expiresAt };
  try {
    await inTransaction(db, async (trx) => {
      for (let start = 0; start < texts.length; start += BATCH_SIZE) {
        const batch = texts.slice(start, start + BATCH_SIZE);
        await trx
          .insertInto('codes')
          .values(batch.map((code) => ({ ...row, code })))
          .execute();
        if (grants.kind !== 'titles') continue;
        const titleRows = batch.flatMap((code) =>
          grants.titleIds.map((titleId, position) => ({ store_id: storeId, code, title_id: titleId, position })),
        );
        for (let offset = 0; offset < titleRows.length; offset += BATCH_SIZE)
          await trx
            .insertInto('code_titles')
            .values(titleRows.slice(offset, offset + BATCH_SIZE))
            .execute();
      }
    });
  } catch (error) {
    if (isUniqueViolation(error, 'codes_pkey'))
      throw new InvalidCode(`The store ${storeId} already has the code ${newCodes.code ?? ''}.`);
    throw error;
  }
  return texts;
}
