import * as v from 'valibot';
import type { Api } from './client.ts';
import { jsonAnswer } from './json.ts';

const HasTitle = v.object({ hasTitle: v.boolean(), instanceId: v.nullish(v.string(), null) });

/** The instance id of the customer's copy, or null: of a title, or of what a transaction was for. */
export const userHasTitle = async (
  api: Api,
  of: { titleId: string } | { transId: string },
  signal?: AbortSignal,
): Promise<string | null> => {
  const query = 'titleId' in of ? { titleid: of.titleId } : { transId: of.transId };
  const sending = api.client.GET('/user/has-title', { params: { query }, ...api.reading(signal) });
  const { hasTitle, instanceId } = await jsonAnswer(api, 'user/has-title', sending, HasTitle);
  // A server that has no number for the copy knows it by the title's.
  return hasTitle ? (instanceId ?? ('titleId' in of ? of.titleId : null)) : null;
};
