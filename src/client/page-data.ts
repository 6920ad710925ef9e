import * as v from 'valibot';

const PageData = v.object({ config: v.unknown(), answers: v.array(v.object({ call: v.string(), xml: v.string() })) });

const read = (): v.InferOutput<typeof PageData> | null => {
  try {
    return v.parse(PageData, JSON.parse(document.querySelector('#store')?.textContent ?? ''));
  } catch {
    return null;
  }
};

const data = read();
const answers = new Map(data?.answers.map(({ call, xml }) => [call, xml]));

/** The configuration that came with the page, or null. */
export const configInPage: unknown = data?.config ?? null;

/** The answer to the first call of its kind, when it came with the page; later calls ask the server. */
export const answerInPage = (request: Request): Response | null => {
  const { pathname } = new URL(request.url);
  const call = [...answers.keys()].find((each) => pathname.endsWith(`/${each}`));
  if (call === undefined) return null;
  const answer = new Response(answers.get(call), { headers: { 'content-type': 'application/xml; charset=utf-8' } });
  answers.delete(call);
  return answer;
};
