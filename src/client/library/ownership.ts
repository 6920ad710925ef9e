import * as v from 'valibot';
import type { Access } from '../../../machines/model/buying/purchase.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';

const AccessResponse = v.object({
  hasTitle: v.boolean(),
  instanceId: v.nullish(v.string(), null),
  withSubscription: v.optional(v.boolean(), false),
});

type OwnedReference = { titleId: string } | { transId: string };

/**
 * Whether the customer owns a title, or a transaction's goods, or has access through a
 * subscription.
 */
export const fetchTitleAccess = async (api: Api, of: OwnedReference, signal?: AbortSignal): Promise<Access> => {
  const query = 'titleId' in of ? { titleid: of.titleId } : { transId: of.transId };
  const sending = api.client.GET('/user/has-title', { params: { query }, ...api.readOptions(signal) });
  const { hasTitle, instanceId, withSubscription } = await readJsonResponse(api, 'user/has-title', sending, AccessResponse);
  // A server without an id for the copy knows it by the title's id.
  if (hasTitle) return { instanceId: instanceId ?? ('titleId' in of ? of.titleId : null), withSubscription: false };
  return { instanceId: withSubscription ? instanceId : null, withSubscription };
};

/** The instance id of the customer's own copy, or null. */
export const fetchOwnCopyId = async (api: Api, of: OwnedReference, signal?: AbortSignal): Promise<string | null> => {
  const { instanceId, withSubscription } = await fetchTitleAccess(api, of, signal);
  return withSubscription ? null : instanceId;
};
