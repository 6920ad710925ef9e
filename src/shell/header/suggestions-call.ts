import * as v from 'valibot';
import { Medium } from '../../../machines/model/catalogue/title.ts';
import { toPictureAddress } from '../../client/wire/address.ts';
import type { Api } from '../../client/wire/client.ts';
import { coerce } from '../../client/wire/coerce.ts';
import { readJsonResponse } from '../../client/wire/json.ts';
import { createItemParser } from '../../client/wire/item-parser.ts';

const SuggestionKind = v.picklist(['category', 'author', 'title']);
/**
 * A suggestion of the server for the typed text; `id` is empty for authors, and the fields after it
 * are for titles only.
 */
const SuggestionItem = v.object({
  kind: SuggestionKind,
  text: v.pipe(v.string(), v.nonEmpty()),
  id: v.optional(v.string(), ''),
  authors: v.optional(v.array(v.string()), []),
  medium: v.fallback(v.nullish(Medium, null), null),
  coverUrl: v.optional(v.string(), ''),
});
export type SuggestionItem = v.InferOutput<typeof SuggestionItem>;

const RawSuggestions = v.object({ suggestions: v.array(v.unknown()) });

/** Fetches at most eight suggestions, categories and authors first. */
export const fetchSuggestions = async (api: Api, typedText: string, signal?: AbortSignal): Promise<SuggestionItem[]> => {
  const responsePromise = api.client.GET('/titles/suggestions', {
    params: { query: { search: typedText.slice(0, 200), limit: 8 } },
    ...api.readOptions(signal),
  });
  const call = 'titles/suggestions';
  const response = await readJsonResponse(api, call, responsePromise, RawSuggestions);
  const parser = createItemParser(api, call, 'suggestions', SuggestionItem);
  return response.suggestions
    .flatMap((each) => parser.parse(coerce(SuggestionItem, each)))
    .map((each) => ({ ...each, coverUrl: toPictureAddress(each.coverUrl, api.base) }));
};
