import * as v from 'valibot';
import type { Api } from './client.ts';
import { jsonAnswer } from './json.ts';

/** A title that has been granted. */
export const Grant = v.object({
  transId: v.pipe(v.string(), v.nonEmpty()),
  titleId: v.string(),
  instanceId: v.pipe(v.string(), v.nonEmpty()),
});
export type Grant = v.InferOutput<typeof Grant>;

/** Grants a free title; a title that is owned already answers its first grant. */
export const purchaseFreeTitle = (
  api: Api,
  { titleId, key }: { titleId: string; key: string },
  signal?: AbortSignal,
): Promise<Grant> =>
  jsonAnswer(
    api,
    'purchase/free',
    api.client.GET('/purchase/free', { params: { query: { titleId } }, ...api.changing(key, signal) }),
    Grant,
  );
