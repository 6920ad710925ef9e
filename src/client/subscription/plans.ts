import { Plan, PlanInterval } from '../../../machines/model/buying/subscription.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { checked, problemOfFailure } from '../wire/problem.ts';
import { sieve } from '../wire/sieve.ts';
import { priceIn } from '../catalogue/title-fields.ts';
import { childrenOf, flagIn, itemsOf, numberIn, textIn, type XmlNode } from '../wire/xml-node.ts';

const titlesOf = (node: XmlNode) => {
  const titles = itemsOf(node, 'Titles', 'Title').map((each) => ({
    id: textIn(each, 'TitleId'),
    name: textIn(each, 'Name') ?? '',
  }));
  return titles.length > 0 ? titles.filter(({ id }) => id !== undefined) : undefined;
};

/** By the word or as it begins another: `month`, `monthly`, `Months`; null for any other text. */
const intervalOf = (node: XmlNode): PlanInterval | null => {
  const said = textIn(node, 'Interval')?.toLowerCase() ?? '';
  return PlanInterval.options.find((each) => said.startsWith(each)) ?? (said.startsWith('annual') ? 'year' : null);
};

const planFields = (node: XmlNode) => ({
  id: textIn(node, 'PlanId') ?? textIn(node, 'Id'),
  name: textIn(node, 'Name') ?? '',
  description: textIn(node, 'Description') ?? '',
  price: priceIn(node, 'Amount') ?? null,
  interval: intervalOf(node),
  trialDays: numberIn(node, 'TrialDays') ?? 0,
  credits: numberIn(node, 'Credits') ?? 0,
  opensAll: flagIn(node, 'OpensAll'),
  opensTitles: numberIn(node, 'OpensTitles'),
  titles: titlesOf(node),
});

/** A plan as the wire has it. */
export const planOf = (call: string, node: XmlNode, within = ''): Plan => checked(call, Plan, planFields(node), within);

/** All plans on offer, in the order shown; one that cannot be read is left out. */
export const plans = async (api: Api, signal: AbortSignal): Promise<Plan[]> => {
  const root = await xmlAnswer(api, 'plans', api.client.GET('/plans', api.reading(signal)), 'plans');
  const readable = sieve(api, 'plans', 'plans', Plan);
  const all = childrenOf(root, 'Plan').flatMap((node) => readable.take(planFields(node)));
  readable.end();
  return all;
};

/** One plan. @throws Problem where it cannot be looked up */
export const planAt = async (api: Api, planId: string, signal: AbortSignal): Promise<Plan> => {
  const call = 'plans/id';
  const asking = api.client.GET('/plans/{planId}', { params: { path: { planId } }, ...api.reading(signal) });
  return planOf(call, await xmlAnswer(api, call, asking, 'plan'));
};

/** The same for a page that shows plans: none where the look-up fails (specification section 8). */
export const planById = async (api: Api, planId: string, signal: AbortSignal): Promise<Plan[]> => {
  try {
    return [await planAt(api, planId, signal)];
  } catch (error) {
    api.report('plans/id', problemOfFailure(error));
    return [];
  }
};
