import { makeCodes, type NewCodes } from '../../../server/codes/make-codes.ts';
import type { Customer } from './customers.ts';
import type { CallParameters, Shop } from './shop.ts';

/** Creates a code in the store. @returns its stored form */
export async function makeCodeIn(shop: Shop, store: string, codes: NewCodes): Promise<string> {
  const [code = ''] = await makeCodes(shop.db, store, codes);
  return code;
}

type CodeUser = Pick<Customer, 'query'> | { query: { shelfid: string } };

export type CodeAnswer = {
  Kind?: string;
  Code?: string;
  Redeemed?: boolean;
  InstanceId?: string;
  TrialDays?: number;
  Credits?: number;
  PercentOff?: number;
  AmountOff?: number;
  PlanId?: string;
  Plan?: { Name: string };
  Titles?: { TitleId: string }[];
  Owned?: string[];
};

/** Looks up a code. */
export const lookUpCode = async (shop: Shop, { query }: CodeUser, code: string, more: CallParameters['query'] = {}) => {
  const answer = await shop.ask('applyCode', '/redeem/apply', { query: { ...query, code, ...more } });
  return { ...answer, value: answer.value as CodeAnswer };
};

export type GrantAnswer = { Code?: string; Purchase?: { InstanceId: string; TitleId: string; Title: { Name: string } }[] };

export const redeemTitle = async (shop: Shop, { query }: CodeUser, code: string) => {
  const answer = await shop.ask('redeemFreeTitle', '/redeem/title', { query: { ...query, code } });
  return { ...answer, value: answer.value as GrantAnswer };
};

export const redeemChoice = async (shop: Shop, { query }: CodeUser, code: string, titleId?: string) => {
  const answer = await shop.ask('redeemFreeTitles', '/redeem/titles', { query: { ...query, RedeemPin: code, titleId } });
  return { ...answer, value: answer.value as GrantAnswer };
};

export const redeemBenefit = async (shop: Shop, { query }: CodeUser, code: string) => {
  const body = `<RedeemCode><Code>${code}</Code></RedeemCode>`;
  const answer = await shop.ask('redeemBenefit', '/redeem/benefit', { query, body });
  return { ...answer, value: answer.value as CodeAnswer };
};

export const readUsesLeft = async (shop: Shop, code: string): Promise<number | null> =>
  (await shop.db.selectFrom('codes').select('uses_left').where('code', '=', code).executeTakeFirstOrThrow()).uses_left;
