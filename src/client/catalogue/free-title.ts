import * as v from 'valibot';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';
import { fetchOwnCopyId } from '../library/ownership.ts';
import { malformedProblem, throwProblem } from '../wire/problem.ts';

/** The grant of a title to the customer. */
export const Grant = v.object({
  transId: v.pipe(v.string(), v.nonEmpty()),
  titleId: v.string(),
  instanceId: v.pipe(v.string(), v.nonEmpty()),
});
export type Grant = v.InferOutput<typeof Grant>;

/**
 * Reads the answer of a call that grants a title.
 * @throws Problem `refused already_owned` for a title that is owned, if the answer has no
 * transaction
 */
export const readGrant = async (
  api: Api,
  call: string,
  titleId: string,
  responsePromise: Promise<{ response: Response }>,
): Promise<Grant> => {
  const answer = await readJsonResponse(api, call, responsePromise, v.partial(Grant));
  const grant = v.safeParse(Grant, { titleId, ...answer, instanceId: answer.instanceId ?? titleId });
  if (grant.success) return grant.output;
  const instanceId = titleId === '' ? null : await fetchOwnCopyId(api, { titleId });
  return throwProblem(
    instanceId === null
      ? malformedProblem(call, 'transId', 'the answer has no transaction')
      : { kind: 'refused', code: 'already_owned', message: '' },
  );
};

/** Grants a free title; for an owned title the server answers with its first grant. */
export const purchaseFreeTitle = (
  api: Api,
  { titleId, key }: { titleId: string; key: string },
  signal?: AbortSignal,
): Promise<Grant> => {
  const responsePromise = api.client.GET('/purchase/free', { params: { query: { titleId } }, ...api.changeOptions(key, signal) });
  return readGrant(api, 'purchase/free', titleId, responsePromise);
};
