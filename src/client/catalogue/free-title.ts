import * as v from 'valibot';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';
import { userHasTitle } from '../library/ownership.ts';
import { malformed, raise } from '../wire/problem.ts';

/** A title that has been granted. */
export const Grant = v.object({
  transId: v.pipe(v.string(), v.nonEmpty()),
  titleId: v.string(),
  instanceId: v.pipe(v.string(), v.nonEmpty()),
});
export type Grant = v.InferOutput<typeof Grant>;

/**
 * The answer of a call that grants a title.
 * @throws Problem `refused already_owned` for a title that is owned, if no transaction came
 */
export const granted = async (
  api: Api,
  call: string,
  titleId: string,
  sending: Promise<{ response: Response }>,
): Promise<Grant> => {
  const answer = await jsonAnswer(api, call, sending, v.partial(Grant));
  const whole = v.safeParse(Grant, { titleId, ...answer, instanceId: answer.instanceId ?? titleId });
  if (whole.success) return whole.output;
  const instanceId = titleId === '' ? null : await userHasTitle(api, { titleId });
  return raise(
    instanceId === null
      ? malformed(call, 'transId', 'no transaction came')
      : { kind: 'refused', code: 'already_owned', message: '' },
  );
};

/** Grants a free title; a title that is owned already answers its first grant. */
export const purchaseFreeTitle = (
  api: Api,
  { titleId, key }: { titleId: string; key: string },
  signal?: AbortSignal,
): Promise<Grant> => {
  const sending = api.client.GET('/purchase/free', { params: { query: { titleId } }, ...api.changing(key, signal) });
  return granted(api, 'purchase/free', titleId, sending);
};
