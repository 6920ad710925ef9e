import { makeCodes, type NewCodes } from '../../../server/codes/make-codes.ts';
import type { Customer } from './customers.ts';
import type { Asked, Shop } from './shop.ts';

/** A code of the store, as it is kept. */
export async function codeIn(shop: Shop, store: string, codes: NewCodes): Promise<string> {
  const [code = ''] = await makeCodes(shop.db, store, codes);
  return code;
}

type Who = Pick<Customer, 'query'> | { query: { shelfid: string } };

export type Told = {
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

/** Looks a code up. */
export const lookUp = async (shop: Shop, { query }: Who, code: string, more: Asked['query'] = {}) => {
  const answer = await shop.ask('applyCode', '/redeem/apply', { query: { ...query, code, ...more } });
  return { ...answer, value: answer.value as Told };
};

export type Given = { Code?: string; Purchase?: { InstanceId: string; TitleId: string; Title: { Name: string } }[] };

export const redeemTitle = async (shop: Shop, { query }: Who, code: string) => {
  const answer = await shop.ask('redeemFreeTitle', '/redeem/title', { query: { ...query, code } });
  return { ...answer, value: answer.value as Given };
};

export const redeemChoice = async (shop: Shop, { query }: Who, code: string, titleId?: string) => {
  const answer = await shop.ask('redeemFreeTitles', '/redeem/titles', { query: { ...query, RedeemPin: code, titleId } });
  return { ...answer, value: answer.value as Given };
};

export const redeemBenefit = async (shop: Shop, { query }: Who, code: string) => {
  const body = `<RedeemCode><Code>${code}</Code></RedeemCode>`;
  const answer = await shop.ask('redeemBenefit', '/redeem/benefit', { query, body });
  return { ...answer, value: answer.value as Told };
};

export const usesLeft = async (shop: Shop, code: string): Promise<number | null> =>
  (await shop.db.selectFrom('codes').select('uses_left').where('code', '=', code).executeTakeFirstOrThrow()).uses_left;
