import * as v from 'valibot';
import type { Api } from '../client/client.ts';
import { fitted } from '../client/fit.ts';
import { jsonAnswer } from '../client/json.ts';
import { sieve } from '../client/sieve.ts';

const Kind = v.picklist(['category', 'author', 'title']);
/** What the server has that begins as the words that were typed; `id` is empty for authors. */
const Found = v.object({ kind: Kind, text: v.pipe(v.string(), v.nonEmpty()), id: v.optional(v.string(), '') });
export type Found = v.InferOutput<typeof Found>;

const Suggestions = v.object({ suggestions: v.array(v.unknown()) });

/** At most eight, categories and authors first. */
export const suggestions = async (api: Api, typed: string, signal?: AbortSignal): Promise<Found[]> => {
  const sending = api.client.GET('/titles/suggestions', {
    params: { query: { search: typed.slice(0, 200), limit: 8 } },
    ...api.reading(signal),
  });
  const call = 'titles/suggestions';
  const given = await jsonAnswer(api, call, sending, Suggestions);
  const readable = sieve(api, call, 'suggestions', Found);
  return given.suggestions.flatMap((each) => readable.take(fitted(Found, each)));
};
