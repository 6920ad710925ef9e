import * as v from 'valibot';
import type { ContentPage } from '../../../machines/model/store/content-page.ts';
import type { Api } from '../../client/wire/client.ts';
import { readJsonResponse } from '../../client/wire/json.ts';
import { throwProblem } from '../../client/wire/problem.ts';

/**
 * The contract's format of page names. Names come from URLs that people type: any other name counts
 * as not found.
 */
const namePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

const rejectNotFound = (): never => throwProblem({ kind: 'refused', code: 'not_found', message: '' });

const PageResponse = v.object({ title: v.string(), html: v.string() });

/**
 * Loads a content page.
 * @throws Problem `unauthorized` for a page that only signed-in customers may read,
 * `refused not_found`.
 */
export const fetchContentPage = async (api: Api, page: string, signal?: AbortSignal): Promise<ContentPage> => {
  if (!namePattern.test(page)) return rejectNotFound();
  const responsePromise = api.client.GET('/pages/{page}', { params: { path: { page } }, ...api.readOptions(signal) });
  const { title, html } = await readJsonResponse(api, 'pages/{page}', responsePromise, PageResponse);
  return { name: title, html };
};
