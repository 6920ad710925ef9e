import * as v from 'valibot';
import type { Api } from '../client/client.ts';
import { jsonAnswer } from '../client/json.ts';

const Kind = v.picklist(['category', 'author', 'title']);
const Suggestions = v.object({
  suggestions: v.array(v.object({ kind: Kind, text: v.pipe(v.string(), v.nonEmpty()), id: v.optional(v.string(), '') })),
});

/** What the server has that begins as the words that were typed; `id` is empty for authors. */
export type Found = v.InferOutput<typeof Suggestions>['suggestions'][number];

/** At most eight, categories and authors first. */
export const suggestions = async (api: Api, typed: string, signal?: AbortSignal): Promise<Found[]> => {
  const sending = api.client.GET('/titles/suggestions', {
    params: { query: { search: typed.slice(0, 200), limit: 8 } },
    ...api.reading(signal),
  });
  return (await jsonAnswer(api, 'titles/suggestions', sending, Suggestions)).suggestions;
};
