import * as v from 'valibot';
import { offerKinds, type Offer, type OfferKind } from '../../../machines/model/buying/redeem.ts';
import type { Plan } from '../../../machines/model/buying/subscription.ts';
import { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { xmlAnswer } from '../../client/wire/answer.ts';
import type { Api } from '../../client/wire/client.ts';
import { userHasTitle } from '../../client/library/ownership.ts';
import { planById, planOf } from '../../client/subscription/plans.ts';
import { checked, malformed, problemOfFailure, raise } from '../../client/wire/problem.ts';
import { sieve } from '../../client/wire/sieve.ts';
import { summaryFields, textsIn } from '../../client/catalogue/title-fields.ts';
import { orWithoutCall } from '../../client/wire/unknown-call.ts';
import { xmlBody } from '../../client/wire/xml-body.ts';
import { childOf, flagIn, itemsOf, numberIn, textIn, type XmlNode } from '../../client/wire/xml-node.ts';

const Given = v.object({ instanceId: v.pipe(v.string(), v.nonEmpty()) });

/** The plan of a server that names it by its id alone. */
const planNamed = async (api: Api, planId: string | undefined, signal: AbortSignal): Promise<Plan | null> =>
  planId === undefined ? null : ((await planById(api, planId, signal))[0] ?? null);

/** The kind by the server's word, else by its content; of several `titles` one is chosen. */
const kindOf = (root: XmlNode, titles: number): OfferKind | undefined => {
  const said = textIn(root, 'Kind')?.toLowerCase();
  const known = offerKinds.find((kind) => kind === said);
  if (known !== undefined) return known;
  if (childOf(root, 'Plan') !== undefined || textIn(root, 'PlanId') !== undefined) return 'subscription';
  if ((numberIn(root, 'Credits') ?? 0) > 0) return 'credits';
  if ((numberIn(root, 'PercentOff') ?? 0) > 0) return 'discount';
  if (titles === 0) return undefined;
  return titles === 1 ? 'title' : 'titles';
};

/**
 * The offer of a code; uses nothing up.
 * @throws Problem `refused` for a code that gives nothing, with the reason as its code
 */
export const applyCode = async (api: Api, code: string, signal: AbortSignal): Promise<Offer> => {
  const call = 'redeem/apply';
  const sending = api.client.GET('/redeem/apply', { params: { query: { code } }, ...api.reading(signal) });
  const root = await xmlAnswer(api, call, sending, 'redemption');
  const [plan, planId] = [childOf(root, 'Plan'), textIn(root, 'PlanId')];
  const giver = textIn(root, 'Giver');
  const readable = sieve(api, call, 'titles', TitleSummary);
  const titles = itemsOf(root, 'Titles', 'Title').flatMap((node) => readable.take(summaryFields(node, api.base)));
  readable.end();
  return {
    kind: kindOf(root, titles.length) ?? raise(malformed(call, 'kind', 'neither a kind nor anything that the code gives')),
    titles,
    owned: textsIn(root, 'Owned', 'TitleId'),
    plan: plan === undefined ? await planNamed(api, planId, signal) : planOf(call, plan, 'plan'),
    trialDays: numberIn(root, 'TrialDays') ?? null,
    credits: numberIn(root, 'Credits') ?? 0,
    percentOff: numberIn(root, 'PercentOff') ?? 0,
    redeemed: flagIn(root, 'Redeemed') ?? false,
    instanceId: textIn(root, 'InstanceId') ?? null,
    ...(giver === undefined ? {} : { pii: { giver, message: textIn(root, 'Message') ?? '' } }),
  };
};

/** Uses a code for a title. @returns the customer's copy */
const redeemTitle = async (api: Api, { code, kind, titleId }: Use): Promise<string> => {
  const call = kind === 'titles' ? 'redeem/titles' : 'redeem/title';
  // The same customer's repetition is answered as the first use.
  const sending =
    kind === 'titles'
      ? api.client.GET('/redeem/titles', { params: { query: { RedeemPin: code, titleId } }, ...api.changing(null) })
      : api.client.GET('/redeem/title', { params: { query: { code } }, ...api.changing(null) });
  const root = await xmlAnswer(api, call, sending, 'result');
  const given = childOf(root, 'Purchase') ?? childOf(root, 'Title') ?? root;
  // Another server may name the title alone, or say no more than that it is done.
  const named = textIn(given, 'InstanceId') ?? textIn(given, 'TitleId');
  const instanceId = named ?? (titleId === '' ? undefined : ((await userHasTitle(api, { titleId })) ?? undefined));
  return checked(call, Given, { instanceId }, 'purchase').instanceId;
};

type Use = { code: string; kind: OfferKind; titleId: string };

/**
 * Uses a code for credits at a server that gives them at the look-up: a second one finds it used.
 */
const applyCredits = async (api: Api, code: string): Promise<void> => {
  const sending = api.client.GET('/redeem/apply', { params: { query: { code } }, ...api.changing(null) });
  await xmlAnswer(api, 'redeem/apply', sending, 'redemption').catch((error: unknown) => {
    const problem = problemOfFailure(error);
    if (problem.kind !== 'refused' || problem.code !== 'code_used') raise(problem);
  });
};

/**
 * Uses a code, exactly once however often it is sent. @returns the customer's copy of the title,
 * null where it gives none
 */
export const redeemCode = async (api: Api, use: Use): Promise<string | null> => {
  if (use.kind === 'title' || use.kind === 'titles' || use.kind === 'bundle') return redeemTitle(api, use);
  const sending = api.client.POST('/redeem/benefit', {
    body: { Code: use.code },
    bodySerializer: xmlBody('RedeemCode'),
    ...api.changing(null),
    headers: { 'Content-Type': 'text/xml' },
  });
  try {
    await xmlAnswer(api, 'redeem/benefit', sending, 'redemption');
  } catch (error) {
    // An answer that was torn on a server with the call may have used the code.
    await orWithoutCall(api, 'redeem/benefit', error, () => null);
    if (use.kind !== 'credits') return raise({ kind: 'refused', code: 'code_at_payment', message: '' });
    await applyCredits(api, use.code);
  }
  return null;
};
