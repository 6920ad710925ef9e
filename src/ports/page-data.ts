import * as v from 'valibot';

const PageData = v.object({ config: v.unknown(), properties: v.string() });

const read = (): v.InferOutput<typeof PageData> | null => {
  try {
    return v.parse(PageData, JSON.parse(document.querySelector('#store')?.textContent ?? ''));
  } catch {
    return null;
  }
};

const data = read();
let properties = data?.properties ?? null;

/** The configuration that came with the page, or null. */
export const configInPage: unknown = data?.config ?? null;

/** The answer to the first call for the store's properties, when it came with the page; later calls ask the server. */
export const answerInPage = (request: Request): Response | null => {
  if (properties === null || !new URL(request.url).pathname.endsWith('/store/properties')) return null;
  const answer = new Response(properties, { headers: { 'content-type': 'application/xml; charset=utf-8' } });
  properties = null;
  return answer;
};
