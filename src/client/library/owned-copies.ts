import * as v from 'valibot';
import { everyTitle, type OwnedCopies } from '../../../machines/app/owned-titles.ts';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';
import { purchases } from './library.ts';
import { orWithoutCall } from '../wire/unknown-call.ts';

const id = v.pipe(v.string(), v.nonEmpty());
const Copy = v.object({ titleId: id });
const UserTitles = v.object({
  titles: v.array(v.unknown()),
  opened: v.optional(v.array(v.unknown()), []),
  opensAll: v.optional(v.boolean(), false),
});

/** How the customer has titles. A server that has no such call is asked for the whole library. */
export const ownedCopies = async (api: Api, signal?: AbortSignal): Promise<OwnedCopies> => {
  const sending = api.client.GET('/user/titles', { ...api.reading(signal) });
  const answer = await jsonAnswer(api, 'user/titles', sending, UserTitles).catch((error: unknown) =>
    orWithoutCall(api, 'user/titles', error, () => null),
  );
  const own =
    answer?.titles.filter((each) => v.is(Copy, each)) ??
    (await purchases(api, { type: 'all', sort: '' }, signal)).titles.map(({ title }) => ({ titleId: title.id }));
  const opened = answer?.opened.filter((each) => v.is(id, each)) ?? [];
  return {
    ...(answer?.opensAll === true ? { [everyTitle]: 'subscription' } : {}),
    ...Object.fromEntries(opened.map((titleId) => [titleId, 'subscription' as const])),
    ...Object.fromEntries(own.map(({ titleId }) => [titleId, 'own' as const])),
  };
};
