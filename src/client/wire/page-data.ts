import * as v from 'valibot';

const PageData = v.object({
  config: v.unknown(),
  /** `call` is how a path ends, or a whole path with its query; `type` the media type, XML where it is left out. */
  answers: v.array(
    v.object({
      call: v.string(),
      text: v.string(),
      status: v.optional(v.number(), 200),
      type: v.optional(v.string(), 'application/xml; charset=utf-8'),
    }),
  ),
  /** Of the answers; left out where they are the same in every language. */
  language: v.optional(v.string()),
});

/** What came with the page: the configuration, null where it is none, and answers to calls, each of which is good for one call. */
export type PageData = {
  config: unknown;
  /** The answer to the first call of its kind, when it came with the page in the call's language; later calls ask the server. */
  answer: (request: Request) => Response | null;
};

const dataIn = (text: string): v.InferOutput<typeof PageData> => {
  try {
    return v.parse(PageData, JSON.parse(text));
  } catch {
    return { config: null, answers: [] };
  }
};

/** @param text JSON as the server writes it into the page; anything else is as if nothing had come. */
export const readPageData = (text: string): PageData => {
  const { config, language, answers } = dataIn(text);
  return {
    config,
    answer: (request) => {
      if (language && language !== request.headers.get('accept-language')) return null;
      const { pathname, search } = new URL(request.url);
      const place = answers.findIndex(({ call }) =>
        call.includes('?') ? pathname + search === call : pathname.endsWith(`/${call}`),
      );
      const [found] = place < 0 ? [] : answers.splice(place, 1);
      return found ? new Response(found.text, { status: found.status, headers: { 'content-type': found.type } }) : null;
    },
  };
};
