import * as v from 'valibot';
import type { ContentPage } from '../../../machines/model/store/content-page.ts';
import type { Api } from '../../client/wire/client.ts';
import { readJsonResponse } from '../../client/wire/json.ts';
import { throwProblem } from '../../client/wire/problem.ts';

const namePattern = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

/**
 * The page's name comes from addresses that people type: a name that the contract would refuse
 * counts as not found.
 */
const rejectNotFound = (): never => throwProblem({ kind: 'refused', code: 'not_found', message: '' });

const PageResponse = v.object({ title: v.string(), html: v.string() });

/**
 * Loads a content page.
 * @throws Problem `unauthorized` for a page that only signed-in customers may read,
 * `refused not_found`.
 */
export const fetchContentPage = async (api: Api, page: string, signal?: AbortSignal): Promise<ContentPage> => {
  if (!namePattern.test(page)) return rejectNotFound();
  const sending = api.client.GET('/pages/{page}', { params: { path: { page } }, ...api.readOptions(signal) });
  const { title, html } = await readJsonResponse(api, 'pages/{page}', sending, PageResponse);
  return { name: title, html };
};
