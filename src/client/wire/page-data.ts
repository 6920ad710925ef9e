import * as v from 'valibot';

const PageData = v.object({
  config: v.unknown(),
  /**
   * `call` is the end of a path, or a whole path with its query; `type` is the media type, XML by
   * default.
   */
  answers: v.array(
    v.object({
      call: v.string(),
      text: v.string(),
      status: v.optional(v.number(), 200),
      type: v.optional(v.string(), 'application/xml; charset=utf-8'),
    }),
  ),
  /** Language of the answers; absent where they are the same in every language. */
  language: v.optional(v.string()),
});

/**
 * Data embedded in the page: the configuration, null without one, and answers to calls, each used
 * for one call only.
 */
export type PageData = {
  config: unknown;
  /**
   * Returns the embedded answer for the first call of its kind in the same language; null for other
   * calls, which go to the server.
   */
  takeResponse: (request: Request) => Response | null;
};

const parsePageData = (text: string): v.InferOutput<typeof PageData> => {
  try {
    return v.parse(PageData, JSON.parse(text));
  } catch {
    return { config: null, answers: [] };
  }
};

/** @param text JSON that the server has written into the page; anything else counts as no data. */
export const readPageData = (text: string): PageData => {
  const { config, language, answers } = parsePageData(text);
  return {
    config,
    takeResponse: (request) => {
      if (language && language !== request.headers.get('accept-language')) return null;
      const { pathname, search } = new URL(request.url);
      const index = answers.findIndex(({ call }) =>
        call.includes('?') ? pathname + search === call : pathname.endsWith(`/${call}`),
      );
      const [answer] = index < 0 ? [] : answers.splice(index, 1);
      return answer ? new Response(answer.text, { status: answer.status, headers: { 'content-type': answer.type } }) : null;
    },
  };
};
