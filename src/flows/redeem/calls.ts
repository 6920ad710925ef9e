import * as v from 'valibot';
import { offerKinds, type CodeOffer, type OfferKind } from '../../../machines/model/buying/redeem.ts';
import type { Plan } from '../../../machines/model/buying/subscription.ts';
import { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { readXmlResponse } from '../../client/wire/xml-response.ts';
import type { Api } from '../../client/wire/client.ts';
import { fetchOwnCopyId } from '../../client/library/ownership.ts';
import { findPlans, readPlan } from '../../client/subscription/plans.ts';
import { validate, malformedProblem, toFetchProblem, throwProblem } from '../../client/wire/problem.ts';
import { createItemParser } from '../../client/wire/item-parser.ts';
import { getSummaryFields, getTexts } from '../../client/catalogue/title-fields.ts';
import { fallbackIfUnavailable } from '../../client/wire/unsupported-call.ts';
import { createXmlSerializer } from '../../client/wire/xml-body.ts';
import { getChild, getFlag, getItems, getNumber, getText, type XmlNode } from '../../client/wire/xml-node.ts';

const GrantedCopy = v.object({ instanceId: v.pipe(v.string(), v.nonEmpty()) });

/** Finds the plan where a server sends only its id; null if it is not offered. */
const findPlan = async (api: Api, planId: string | undefined, signal: AbortSignal): Promise<Plan | null> =>
  planId === undefined ? null : ((await findPlans(api, planId, signal))[0] ?? null);

/**
 * The kind of offer that the server reports, else the one that its benefits imply; undefined
 * without a benefit. `titles` is the number of titles: of several, the customer chooses one.
 */
const getOfferKind = (root: XmlNode, titles: number): OfferKind | undefined => {
  const reportedKind = getText(root, 'Kind')?.toLowerCase();
  const knownKind = offerKinds.find((kind) => kind === reportedKind);
  if (knownKind !== undefined) return knownKind;
  if (getChild(root, 'Plan') !== undefined || getText(root, 'PlanId') !== undefined) return 'subscription';
  if ((getNumber(root, 'Credits') ?? 0) > 0) return 'credits';
  if ((getNumber(root, 'PercentOff') ?? 0) > 0) return 'discount';
  if (titles === 0) return undefined;
  return titles === 1 ? 'title' : 'titles';
};

/**
 * Looks up the offer of a code, without using the code.
 * @throws Problem `refused` for a refused code, with the reason as the problem's code
 */
export const lookUpCode = async (api: Api, code: string, signal: AbortSignal): Promise<CodeOffer> => {
  const call = 'redeem/apply';
  const responsePromise = api.client.GET('/redeem/apply', { params: { query: { code } }, ...api.readOptions(signal) });
  const root = await readXmlResponse(api, call, responsePromise, 'redemption');
  const [plan, planId] = [getChild(root, 'Plan'), getText(root, 'PlanId')];
  const giver = getText(root, 'Giver');
  const itemParser = createItemParser(api, call, 'titles', TitleSummary);
  const titles = getItems(root, 'Titles', 'Title').flatMap((node) => itemParser.parse(getSummaryFields(node, api.base)));
  itemParser.end();
  return {
    kind:
      getOfferKind(root, titles.length) ??
      throwProblem(malformedProblem(call, 'kind', 'expected a kind or a benefit in the response')),
    titles,
    owned: getTexts(root, 'Owned', 'TitleId'),
    plan: plan === undefined ? await findPlan(api, planId, signal) : readPlan(call, plan, 'plan'),
    trialDays: getNumber(root, 'TrialDays') ?? null,
    credits: getNumber(root, 'Credits') ?? 0,
    percentOff: getNumber(root, 'PercentOff') ?? 0,
    redeemed: getFlag(root, 'Redeemed') ?? false,
    instanceId: getText(root, 'InstanceId') ?? null,
    ...(giver === undefined ? {} : { pii: { giver, message: getText(root, 'Message') ?? '' } }),
  };
};

/**
 * Redeems a code for titles.
 * @returns the id of the customer's copy
 */
const redeemTitle = async (api: Api, { code, kind, titleId }: CodeUse): Promise<string> => {
  const call = kind === 'titles' ? 'redeem/titles' : 'redeem/title';
  // Idempotent: a repetition by the same customer returns the first response.
  const responsePromise =
    kind === 'titles'
      ? api.client.GET('/redeem/titles', { params: { query: { RedeemPin: code, titleId } }, ...api.changeOptions(null) })
      : api.client.GET('/redeem/title', { params: { query: { code } }, ...api.changeOptions(null) });
  const root = await readXmlResponse(api, call, responsePromise, 'result');
  const grantNode = getChild(root, 'Purchase') ?? getChild(root, 'Title') ?? root;
  // Another server may send only the title, or only a confirmation.
  const reportedId = getText(grantNode, 'InstanceId') ?? getText(grantNode, 'TitleId');
  const instanceId = reportedId ?? (titleId === '' ? undefined : ((await fetchOwnCopyId(api, { titleId })) ?? undefined));
  return validate(call, GrantedCopy, { instanceId }, 'purchase').instanceId;
};

type CodeUse = { code: string; kind: OfferKind; titleId: string };

/**
 * Redeems a code for credits on a server that grants them at the look-up. If a second look-up
 * reports the code as used, the first one has granted them.
 */
const applyCredits = async (api: Api, code: string): Promise<void> => {
  const responsePromise = api.client.GET('/redeem/apply', { params: { query: { code } }, ...api.changeOptions(null) });
  await readXmlResponse(api, 'redeem/apply', responsePromise, 'redemption').catch((error: unknown) => {
    const problem = toFetchProblem(error);
    if (problem.kind !== 'refused' || problem.code !== 'code_used') throwProblem(problem);
  });
};

/**
 * Redeems a code, exactly once however often it is sent.
 * @returns the id of the customer's copy of the title; null for a code without titles
 */
export const redeemCode = async (api: Api, use: CodeUse): Promise<string | null> => {
  if (use.kind === 'title' || use.kind === 'titles' || use.kind === 'bundle') return redeemTitle(api, use);
  const responsePromise = api.client.POST('/redeem/benefit', {
    body: { Code: use.code },
    bodySerializer: createXmlSerializer('RedeemCode'),
    ...api.changeOptions(null),
    headers: { 'Content-Type': 'text/xml' },
  });
  try {
    await readXmlResponse(api, 'redeem/benefit', responsePromise, 'redemption');
  } catch (error) {
    // On a server that has the call, the code may have been used although the response failed.
    await fallbackIfUnavailable(api, 'redeem/benefit', error, () => null);
    if (use.kind !== 'credits') return throwProblem({ kind: 'refused', code: 'code_at_payment', message: '' });
    await applyCredits(api, use.code);
  }
  return null;
};
