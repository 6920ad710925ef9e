import * as v from 'valibot';
import type { OwnedCopies } from '../../machines/app/owned-titles.ts';
import type { Api } from './client.ts';
import { jsonAnswer } from './json.ts';
import { purchases } from './library.ts';
import { orWhenMissing } from './problem.ts';

const id = v.pipe(v.string(), v.nonEmpty());
const Copy = v.object({ titleId: id, instanceId: id });
const UserTitles = v.object({ titles: v.array(v.unknown()) });

/** The customer's copies. A server that has no such call is asked for the whole library. */
export const ownedCopies = async (api: Api, signal?: AbortSignal): Promise<OwnedCopies> => {
  const sending = api.client.GET('/user/titles', { ...api.reading(signal) });
  const answer = await jsonAnswer(api, 'user/titles', sending, UserTitles).catch((error: unknown) => orWhenMissing(error, null));
  const owned =
    answer?.titles.filter((each) => v.is(Copy, each)) ??
    (await purchases(api, { type: 'all', sort: '' }, signal)).titles.map(asCopy);
  return Object.fromEntries(owned.map(({ titleId, instanceId }) => [titleId, instanceId]));
};

const asCopy = ({ title, instanceId }: Awaited<ReturnType<typeof purchases>>['titles'][number]) => ({
  titleId: title.id,
  instanceId,
});
