import { Plan, PlanInterval } from '../../../machines/model/buying/subscription.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { validate, toFetchProblem } from '../wire/problem.ts';
import { createItemParser } from '../wire/item-parser.ts';
import { getPrice } from '../catalogue/title-fields.ts';
import { getChildren, getFlag, getItems, getNumber, getText, type XmlNode } from '../wire/xml-node.ts';

const getPlanTitles = (node: XmlNode) => {
  const titles = getItems(node, 'Titles', 'Title').map((each) => ({
    id: getText(each, 'TitleId'),
    name: getText(each, 'Name') ?? '',
  }));
  return titles.length > 0 ? titles.filter(({ id }) => id !== undefined) : undefined;
};

/**
 * A plan's interval by its name or a text that begins with it: `month`, `monthly`, `Months`;
 * `annual` and `annually` count as `year`. Null for any other text.
 */
const getInterval = (node: XmlNode): PlanInterval | null => {
  const intervalName = getText(node, 'Interval')?.toLowerCase() ?? '';
  return (
    PlanInterval.options.find((each) => intervalName.startsWith(each)) ?? (intervalName.startsWith('annual') ? 'year' : null)
  );
};

const getPlanFields = (node: XmlNode) => ({
  id: getText(node, 'PlanId') ?? getText(node, 'Id'),
  name: getText(node, 'Name') ?? '',
  description: getText(node, 'Description') ?? '',
  price: getPrice(node, 'Amount') ?? null,
  interval: getInterval(node),
  trialDays: getNumber(node, 'TrialDays') ?? 0,
  trialApplies: getFlag(node, 'TrialApplies'),
  credits: getNumber(node, 'Credits') ?? 0,
  opensAll: getFlag(node, 'OpensAll'),
  opensTitles: getNumber(node, 'OpensTitles'),
  titles: getPlanTitles(node),
});

/** Reads a plan in the wire's form. */
export const readPlan = (call: string, node: XmlNode, parentPath = ''): Plan =>
  validate(call, Plan, getPlanFields(node), parentPath);

/** All plans on offer, in the order shown; unreadable ones are left out. */
export const fetchPlans = async (api: Api, signal: AbortSignal): Promise<Plan[]> => {
  const root = await readXmlResponse(api, 'plans', api.client.GET('/plans', api.readOptions(signal)), 'plans');
  const parser = createItemParser(api, 'plans', 'plans', Plan);
  const plans = getChildren(root, 'Plan').flatMap((node) => parser.parse(getPlanFields(node)));
  parser.end();
  return plans;
};

/** A plan by its id. @throws Problem where it cannot be looked up */
export const fetchPlan = async (api: Api, planId: string, signal: AbortSignal): Promise<Plan> => {
  const call = 'plans/id';
  const responsePromise = api.client.GET('/plans/{planId}', { params: { path: { planId } }, ...api.readOptions(signal) });
  return readPlan(call, await readXmlResponse(api, call, responsePromise, 'plan'));
};

/**
 * As `fetchPlan`, for a page that lists plans: an empty list where the look-up fails (specification
 * section 8).
 */
export const findPlans = async (api: Api, planId: string, signal: AbortSignal): Promise<Plan[]> => {
  try {
    return [await fetchPlan(api, planId, signal)];
  } catch (error) {
    api.report('plans/id', toFetchProblem(error));
    return [];
  }
};
