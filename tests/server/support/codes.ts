import { makeCodes, type NewCodes } from '../../../server/codes/make-codes.ts';
import type { Customer } from './customers.ts';
import type { CallParameters, Shop } from './shop.ts';

/** Creates a code in the store. @returns its stored form */
export async function insertCode(shop: Shop, store: string, codes: NewCodes): Promise<string> {
  const [code = ''] = await makeCodes(shop.db, store, codes);
  return code;
}

type CodeUser = Pick<Customer, 'query'> | { query: { shelfid: string } };

export type CodeResponse = {
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
export const lookUpCode = async (shop: Shop, { query }: CodeUser, code: string, extraQuery: CallParameters['query'] = {}) => {
  const response = await shop.call('applyCode', '/redeem/apply', { query: { ...query, code, ...extraQuery } });
  return { ...response, value: response.value as CodeResponse };
};

export type GrantResponse = { Code?: string; Purchase?: { InstanceId: string; TitleId: string; Title: { Name: string } }[] };

export const redeemTitle = async (shop: Shop, { query }: CodeUser, code: string) => {
  const response = await shop.call('redeemFreeTitle', '/redeem/title', { query: { ...query, code } });
  return { ...response, value: response.value as GrantResponse };
};

export const redeemChoice = async (shop: Shop, { query }: CodeUser, code: string, titleId?: string) => {
  const response = await shop.call('redeemFreeTitles', '/redeem/titles', { query: { ...query, RedeemPin: code, titleId } });
  return { ...response, value: response.value as GrantResponse };
};

export const redeemBenefit = async (shop: Shop, { query }: CodeUser, code: string) => {
  const body = `<RedeemCode><Code>${code}</Code></RedeemCode>`;
  const response = await shop.call('redeemBenefit', '/redeem/benefit', { query, body });
  return { ...response, value: response.value as CodeResponse };
};

export const readUsesLeft = async (shop: Shop, code: string): Promise<number | null> =>
  (await shop.db.selectFrom('codes').select('uses_left').where('code', '=', code).executeTakeFirstOrThrow()).uses_left;
