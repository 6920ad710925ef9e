import { type Database, inTransaction, isUniqueViolation } from '../database/open.ts';
import { generateCode, normalizeCode } from '../base/code-text.ts';
import { BadCode, parseGrants, type Grants } from './grants.ts';

/** A batch of codes with the same benefit and limits. */
export type NewCodes = {
  /** as `readGrants` reads it */
  grants: string;
  /** The text of a single code; left out: `count` random codes that cannot be guessed. */
  code?: string;
  count?: number;
  /** End of validity; null: never. */
  expiresAt?: Date | null;
  /** Uses of each code, each by another customer; null: unlimited. */
  uses?: number | null;
  /** Remaining uses; left out: all. */
  usesLeft?: number | null;
};

export const MAX_CODES = 100_000;
const MIN_CODE_CHARS = 4;
const MAX_CODE_CHARS = 64;
/** Rows of one statement, which keep it below the database's limit of parameters. */
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
    const missing = titleIds.find((id) => !rows.some((row) => row.id === id));
    if (missing !== undefined) throw new BadCode(`The store ${storeId} has no title ${missing}.`);
  }
  if (planId === null) return;
  const plan = await db
    .selectFrom('plans')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', planId)
    .executeTakeFirst();
  if (!plan) throw new BadCode(`The store ${storeId} has no plan ${planId}.`);
}

const CODE_PATTERN = /^[\p{L}\p{N}]+$/u;

function toCodeTexts({ code, count = 1 }: NewCodes): string[] {
  if (!Number.isInteger(count) || count < 1 || count > MAX_CODES)
    throw new BadCode(`The number of codes must be from 1 to ${MAX_CODES}, not ${count}.`);
  if (code === undefined) return Array.from({ length: count }, generateCode);
  const plain = normalizeCode(code);
  if (count !== 1) throw new BadCode(`A code with its own text is a single one: leave out the number ${count}.`);
  if (!CODE_PATTERN.test(plain) || plain.length < MIN_CODE_CHARS || plain.length > MAX_CODE_CHARS)
    throw new BadCode(`A code is ${MIN_CODE_CHARS} to ${MAX_CODE_CHARS} letters and digits, not "${code}".`);
  return [plain];
}

/**
 * Creates all of the codes, or none.
 * @param isDryRun only checks the input
 * @returns the codes in their stored form
 * @throws BadCode
 */
export async function makeCodes(db: Database, storeId: string, wanted: NewCodes, isDryRun = false): Promise<string[]> {
  const { uses = 1, expiresAt = null } = wanted;
  if (uses !== null && (!Number.isInteger(uses) || uses < 1))
    throw new BadCode(`The uses of a code must be a whole number from 1, not ${uses}.`);
  if (expiresAt !== null && Number.isNaN(expiresAt.getTime())) throw new BadCode('The date of expiry is invalid.');
  const grants = parseGrants(wanted.grants);
  const texts = toCodeTexts(wanted);
  await assertGrantsExist(db, storeId, grants);
  if (isDryRun) return texts;
  const usesLeft = wanted.usesLeft === undefined ? uses : wanted.usesLeft;
  const row = { ...toColumns(grants), store_id: storeId, uses, uses_left: usesLeft, expires_at: expiresAt };
  try {
    await inTransaction(db, async (trx) => {
      for (let start = 0; start < texts.length; start += BATCH_SIZE) {
        const some = texts.slice(start, start + BATCH_SIZE);
        await trx
          .insertInto('codes')
          .values(some.map((code) => ({ ...row, code })))
          .execute();
        if (grants.kind !== 'titles') continue;
        const offered = some.flatMap((code) =>
          grants.titleIds.map((titleId, position) => ({ store_id: storeId, code, title_id: titleId, position })),
        );
        for (let at = 0; at < offered.length; at += BATCH_SIZE)
          await trx
            .insertInto('code_titles')
            .values(offered.slice(at, at + BATCH_SIZE))
            .execute();
      }
    });
  } catch (error) {
    if (isUniqueViolation(error, 'codes_pkey'))
      throw new BadCode(`The store ${storeId} already has the code ${wanted.code ?? ''}.`);
    throw error;
  }
  return texts;
}
