import * as v from 'valibot';
import { Medium } from '../../../machines/model/catalogue/title.ts';
import { toPictureAddress } from '../../client/wire/address.ts';
import type { Api } from '../../client/wire/client.ts';
import { coerce } from '../../client/wire/fit.ts';
import { readJsonResponse } from '../../client/wire/json.ts';
import { createItemParser } from '../../client/wire/sieve.ts';

const SuggestionKind = v.picklist(['category', 'author', 'title']);
/**
 * The server's suggestions for the typed text; `id` is empty for authors, and the later fields are
 * for titles only.
 */
const SuggestionsResponse = v.object({
  kind: SuggestionKind,
  text: v.pipe(v.string(), v.nonEmpty()),
  id: v.optional(v.string(), ''),
  authors: v.optional(v.array(v.string()), []),
  medium: v.fallback(v.nullish(Medium, null), null),
  coverUrl: v.optional(v.string(), ''),
});
export type SuggestionsResponse = v.InferOutput<typeof SuggestionsResponse>;

const RawSuggestions = v.object({ suggestions: v.array(v.unknown()) });

/** At most eight, categories and authors first. */
export const fetchSuggestions = async (api: Api, typed: string, signal?: AbortSignal): Promise<SuggestionsResponse[]> => {
  const sending = api.client.GET('/titles/suggestions', {
    params: { query: { search: typed.slice(0, 200), limit: 8 } },
    ...api.readOptions(signal),
  });
  const call = 'titles/suggestions';
  const given = await readJsonResponse(api, call, sending, RawSuggestions);
  const readable = createItemParser(api, call, 'suggestions', SuggestionsResponse);
  return given.suggestions
    .flatMap((each) => readable.parse(coerce(SuggestionsResponse, each)))
    .map((each) => ({ ...each, coverUrl: toPictureAddress(each.coverUrl, api.base) }));
};
