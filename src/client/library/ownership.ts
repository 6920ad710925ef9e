import * as v from 'valibot';
import type { Access } from '../../../machines/model/buying/purchase.ts';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';

const HasTitle = v.object({
  hasTitle: v.boolean(),
  instanceId: v.nullish(v.string(), null),
  withSubscription: v.optional(v.boolean(), false),
});

type Named = { titleId: string } | { transId: string };

/** Whether a title, or what a transaction was for, is the customer's, or their subscription opens it. */
export const titleAccess = async (api: Api, of: Named, signal?: AbortSignal): Promise<Access> => {
  const query = 'titleId' in of ? { titleid: of.titleId } : { transId: of.transId };
  const sending = api.client.GET('/user/has-title', { params: { query }, ...api.reading(signal) });
  const { hasTitle, instanceId, withSubscription } = await jsonAnswer(api, 'user/has-title', sending, HasTitle);
  // A server that has no number for the copy knows it by the title's.
  if (hasTitle) return { instanceId: instanceId ?? ('titleId' in of ? of.titleId : null), withSubscription: false };
  return { instanceId: withSubscription ? instanceId : null, withSubscription };
};

/** The instance id of the customer's own copy, or null. */
export const userHasTitle = async (api: Api, of: Named, signal?: AbortSignal): Promise<string | null> => {
  const { instanceId, withSubscription } = await titleAccess(api, of, signal);
  return withSubscription ? null : instanceId;
};
