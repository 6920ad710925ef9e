import * as v from 'valibot';
import { ANY_TITLE, type OwnedCopies } from '../../../machines/app/owned-titles.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';
import { fetchPurchases } from './library.ts';
import { fallbackIfUnavailable } from '../wire/unsupported-call.ts';

const Id = v.pipe(v.string(), v.nonEmpty());
const Copy = v.object({ titleId: Id });
const UserTitlesResponse = v.object({
  titles: v.array(v.unknown()),
  opened: v.optional(v.array(v.unknown()), []),
  opensAll: v.optional(v.boolean(), false),
});

/**
 * The customer's own copies, and the titles that a subscription opens. On a server without the
 * call, the whole library is read.
 */
export const fetchOwnedCopies = async (api: Api, signal?: AbortSignal): Promise<OwnedCopies> => {
  const responsePromise = api.client.GET('/user/titles', { ...api.readOptions(signal) });
  const answer = await readJsonResponse(api, 'user/titles', responsePromise, UserTitlesResponse).catch((error: unknown) =>
    fallbackIfUnavailable(api, 'user/titles', error, () => null),
  );
  const ownCopies =
    answer?.titles.filter((each) => v.is(Copy, each)) ??
    (await fetchPurchases(api, { type: 'all', sort: '' }, signal)).titles.map(({ title }) => ({ titleId: title.id }));
  const openedIds = answer?.opened.filter((each) => v.is(Id, each)) ?? [];
  return {
    ...(answer?.opensAll === true ? { [ANY_TITLE]: 'subscription' } : {}),
    ...Object.fromEntries(openedIds.map((titleId) => [titleId, 'subscription' as const])),
    ...Object.fromEntries(ownCopies.map(({ titleId }) => [titleId, 'own' as const])),
  };
};
