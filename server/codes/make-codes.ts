import { type Database, inTransaction, isUniqueViolation } from '../database/open.ts';
import { newCode, plainCode } from '../base/code-text.ts';
import { BadCode, readGrants, type Grants } from './grants.ts';

/** Codes that are all alike. */
export type NewCodes = {
  /** as `readGrants` reads it */
  grants: string;
  /** The code itself; left out, so many are made that nobody guesses. */
  code?: string;
  count?: number;
  /** After it they give nothing any more; null for never. */
  expiresAt?: Date | null;
  /** How often each can be used, by as many customers; null for without end. */
  uses?: number | null;
  /** Of these, how many are left; all of them where it is left out. */
  usesLeft?: number | null;
};

export const MOST_CODES = 100_000;
const SHORTEST_CODE = 4;
const LONGEST_CODE = 64;
/** Statements stay below their limit of parameters. */
const AT_ONCE = 500;

const columnsOf = (grants: Grants) => ({
  kind: grants.kind,
  title_id: grants.kind === 'title' || grants.kind === 'discount' ? grants.titleId : null,
  plan_id: grants.kind === 'subscription' ? grants.planId : null,
  trial_days: grants.kind === 'subscription' ? grants.trialDays : null,
  credits: grants.kind === 'credits' ? grants.credits : null,
  percent_off: grants.kind === 'discount' ? grants.percentOff : null,
});

async function refuseUnknown(db: Database, storeId: string, grants: Grants): Promise<void> {
  const { title_id: titleId, plan_id: planId } = columnsOf(grants);
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

const TEXT = /^[\p{L}\p{N}]+$/u;

function textsOf({ code, count = 1 }: NewCodes): string[] {
  if (!Number.isInteger(count) || count < 1 || count > MOST_CODES)
    throw new BadCode(`So many codes cannot be made: from 1 to ${MOST_CODES}.`);
  if (code === undefined) return Array.from({ length: count }, newCode);
  const plain = plainCode(code);
  if (count !== 1) throw new BadCode('A code of one’s own is one: leave out how many.');
  if (!TEXT.test(plain) || plain.length < SHORTEST_CODE || plain.length > LONGEST_CODE)
    throw new BadCode(`A code is ${SHORTEST_CODE} to ${LONGEST_CODE} letters and figures, not "${code}".`);
  return [plain];
}

/**
 * Makes codes, all of them or none.
 * @param isDryRun says what is wrong with them, and makes none
 * @returns the codes as they are kept
 * @throws BadCode
 */
export async function makeCodes(db: Database, storeId: string, wanted: NewCodes, isDryRun = false): Promise<string[]> {
  const { uses = 1, expiresAt = null } = wanted;
  if (uses !== null && (!Number.isInteger(uses) || uses < 1)) throw new BadCode('A code is good for one use at least.');
  if (expiresAt !== null && Number.isNaN(expiresAt.getTime())) throw new BadCode('This is no day on which codes can expire.');
  const grants = readGrants(wanted.grants);
  const texts = textsOf(wanted);
  await refuseUnknown(db, storeId, grants);
  if (isDryRun) return texts;
  const usesLeft = wanted.usesLeft === undefined ? uses : wanted.usesLeft;
  const row = { ...columnsOf(grants), store_id: storeId, uses, uses_left: usesLeft, expires_at: expiresAt };
  try {
    await inTransaction(db, async (trx) => {
      for (let start = 0; start < texts.length; start += AT_ONCE) {
        const some = texts.slice(start, start + AT_ONCE);
        await trx
          .insertInto('codes')
          .values(some.map((code) => ({ ...row, code })))
          .execute();
        if (grants.kind !== 'titles') continue;
        const offered = some.flatMap((code) =>
          grants.titleIds.map((titleId, position) => ({ store_id: storeId, code, title_id: titleId, position })),
        );
        for (let at = 0; at < offered.length; at += AT_ONCE)
          await trx
            .insertInto('code_titles')
            .values(offered.slice(at, at + AT_ONCE))
            .execute();
      }
    });
  } catch (error) {
    if (isUniqueViolation(error, 'codes_pkey'))
      throw new BadCode(`The store ${storeId} has the code ${wanted.code ?? ''} already.`);
    throw error;
  }
  return texts;
}
