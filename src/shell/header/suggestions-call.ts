import * as v from 'valibot';
import { Medium } from '../../../machines/model/catalogue/title.ts';
import { pictureAddress } from '../../client/wire/address.ts';
import type { Api } from '../../client/wire/client.ts';
import { fitted } from '../../client/wire/fit.ts';
import { jsonAnswer } from '../../client/wire/json.ts';
import { sieve } from '../../client/wire/sieve.ts';

const Kind = v.picklist(['category', 'author', 'title']);
/** What the server has for the words that were typed; `id` is empty for authors, and what follows is said of titles alone. */
const Found = v.object({
  kind: Kind,
  text: v.pipe(v.string(), v.nonEmpty()),
  id: v.optional(v.string(), ''),
  authors: v.optional(v.array(v.string()), []),
  medium: v.fallback(v.nullish(Medium, null), null),
  coverUrl: v.optional(v.string(), ''),
});
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
  return given.suggestions
    .flatMap((each) => readable.take(fitted(Found, each)))
    .map((each) => ({ ...each, coverUrl: pictureAddress(each.coverUrl, api.base) }));
};
