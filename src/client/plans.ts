import { Plan } from '../../machines/model/subscription.ts';
import { xmlAnswer } from './answer.ts';
import type { Api } from './client.ts';
import { checked, problemOfFailure } from './problem.ts';
import { childrenOf, flagIn, itemsOf, numberIn, textIn, type XmlNode } from './xml-node.ts';

const titlesOf = (node: XmlNode) => {
  const titles = itemsOf(node, 'Titles', 'Title').map((each) => ({
    id: textIn(each, 'TitleId'),
    name: textIn(each, 'Name') ?? '',
  }));
  return titles.length > 0 ? titles.filter(({ id }) => id !== undefined) : undefined;
};

/** A plan as the wire has it. */
export const planOf = (call: string, node: XmlNode, within = ''): Plan =>
  checked(
    call,
    Plan,
    {
      id: textIn(node, 'PlanId'),
      name: textIn(node, 'Name') ?? '',
      description: textIn(node, 'Description') ?? '',
      price: {
        amount: numberIn(node, 'Amount'),
        currency: textIn(node, 'Currency') ?? '',
        symbol: textIn(node, 'CurrencySymbol') ?? '',
      },
      interval: textIn(node, 'Interval')?.toLowerCase(),
      trialDays: numberIn(node, 'TrialDays') ?? 0,
      credits: numberIn(node, 'Credits') ?? 0,
      opensAll: flagIn(node, 'OpensAll'),
      opensTitles: numberIn(node, 'OpensTitles'),
      titles: titlesOf(node),
    },
    within,
  );

/** All plans on offer, in the order shown. */
export const plans = async (api: Api, signal: AbortSignal): Promise<Plan[]> => {
  const root = await xmlAnswer(api, 'plans', api.client.GET('/plans', api.reading(signal)), 'plans');
  return childrenOf(root, 'Plan').map((node, at) => planOf('plans', node, `plans.${at}`));
};

/** One plan; none where it cannot be looked up, whyever (specification section 8). */
export const planById = async (api: Api, planId: string, signal: AbortSignal): Promise<Plan[]> => {
  const call = 'plans/id';
  try {
    const asking = api.client.GET('/plans/{planId}', { params: { path: { planId } }, ...api.reading(signal) });
    return [planOf(call, await xmlAnswer(api, call, asking, 'plan'))];
  } catch (error) {
    api.report(call, problemOfFailure(error));
    return [];
  }
};
