import * as v from 'valibot';

const PageData = v.object({
  config: v.unknown(),
  answers: v.array(v.object({ call: v.string(), xml: v.string() })),
  /** Of the answers; left out where they are the same in every language. */
  language: v.optional(v.string()),
});

type Read = { config: unknown; answers: Map<string, string>; language?: string | undefined };

const read = (): Read => {
  try {
    const { config, answers, language } = v.parse(PageData, JSON.parse(document.querySelector('#store')?.textContent ?? ''));
    return { config, language, answers: new Map(answers.map(({ call, xml }) => [call, xml])) };
  } catch {
    return { config: null, answers: new Map() };
  }
};

/** Read when it is first asked for, and once: an answer is good for one call. */
let known: Read | null = null;
const inPage = (): Read => (known ??= read());

/** The configuration that came with the page, or null. */
export const configInPage = (): unknown => inPage().config;

/** The answer to the first call of its kind, when it came with the page in the call's language; later calls ask the server. */
export const answerInPage = (request: Request): Response | null => {
  const { answers, language } = inPage();
  if (language && language !== request.headers.get('accept-language')) return null;
  const { pathname } = new URL(request.url);
  const call = [...answers.keys()].find((each) => pathname.endsWith(`/${each}`));
  if (call === undefined) return null;
  const answer = new Response(answers.get(call), { headers: { 'content-type': 'application/xml; charset=utf-8' } });
  answers.delete(call);
  return answer;
};
