import * as v from 'valibot';
import type { Access } from '../../../machines/model/buying/purchase.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';

const AccessResponse = v.object({
  hasTitle: v.boolean(),
  instanceId: v.nullish(v.string(), null),
  withSubscription: v.optional(v.boolean(), false),
});

type GoodsReference = { titleId: string } | { transId: string };

/**
 * The customer's access to a title or to a transaction's goods: owned, through a subscription, or
 * none.
 */
export const fetchTitleAccess = async (api: Api, goods: GoodsReference, signal?: AbortSignal): Promise<Access> => {
  const query = 'titleId' in goods ? { titleid: goods.titleId } : { transId: goods.transId };
  const responsePromise = api.client.GET('/user/has-title', { params: { query }, ...api.readOptions(signal) });
  const { hasTitle, instanceId, withSubscription } = await readJsonResponse(
    api,
    'user/has-title',
    responsePromise,
    AccessResponse,
  );
  // A server without an id for the copy knows it by the title's id.
  if (hasTitle) return { instanceId: instanceId ?? ('titleId' in goods ? goods.titleId : null), withSubscription: false };
  return { instanceId: withSubscription ? instanceId : null, withSubscription };
};

/** The instance id of the customer's own copy, or null. */
export const fetchOwnCopyId = async (api: Api, goods: GoodsReference, signal?: AbortSignal): Promise<string | null> => {
  const { instanceId, withSubscription } = await fetchTitleAccess(api, goods, signal);
  return withSubscription ? null : instanceId;
};
