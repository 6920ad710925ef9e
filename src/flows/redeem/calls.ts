import * as v from 'valibot';
import { offerKinds, type Offer, type OfferKind } from '../../../machines/model/redeem.ts';
import { TitleSummary } from '../../../machines/model/title.ts';
import { xmlAnswer } from '../../client/answer.ts';
import type { Api } from '../../client/client.ts';
import { planOf } from '../../client/plans.ts';
import { checked } from '../../client/problem.ts';
import { summaryFields, textsIn } from '../../client/title-fields.ts';
import { xmlBody } from '../../client/xml-body.ts';
import { childOf, childrenOf, flagIn, itemsOf, numberIn, textIn } from '../../client/xml-node.ts';

const Kind = v.picklist(offerKinds);
const Given = v.object({ instanceId: v.pipe(v.string(), v.nonEmpty()) });

/** What a code gives; uses nothing up. @throws Problem `refused` for a code that gives nothing, with the reason as its code */
export const applyCode = async (api: Api, code: string, signal: AbortSignal): Promise<Offer> => {
  const call = 'redeem/apply';
  const sending = api.client.GET('/redeem/apply', { params: { query: { code } }, ...api.reading(signal) });
  const root = await xmlAnswer(api, call, sending, 'redemption');
  const plan = childOf(root, 'Plan');
  const giver = textIn(root, 'Giver');
  return {
    kind: checked(call, Kind, textIn(root, 'Kind')?.toLowerCase(), 'kind'),
    titles: itemsOf(root, 'Titles', 'Title').map((node, at) =>
      checked(call, TitleSummary, summaryFields(node, api.base), `titles.${at}`),
    ),
    owned: textsIn(root, 'Owned', 'TitleId'),
    plan: plan === undefined ? null : planOf(call, plan, 'plan'),
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
  const root = await xmlAnswer(api, call, sending, 'purchases');
  const [purchase] = childrenOf(root, 'Purchase');
  return checked(call, Given, { instanceId: textIn(purchase, 'InstanceId') }, 'purchase').instanceId;
};

type Use = { code: string; kind: OfferKind; titleId: string };

/** Uses a code, exactly once however often it is sent. @returns the customer's copy of the title, null where it gives none */
export const redeemCode = async (api: Api, use: Use): Promise<string | null> => {
  if (use.kind === 'title' || use.kind === 'titles' || use.kind === 'bundle') return redeemTitle(api, use);
  const sending = api.client.POST('/redeem/benefit', {
    body: { Code: use.code },
    bodySerializer: xmlBody('RedeemCode'),
    ...api.changing(null),
    headers: { 'Content-Type': 'text/xml' },
  });
  await xmlAnswer(api, 'redeem/benefit', sending, 'redemption');
  return null;
};
