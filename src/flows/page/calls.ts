import * as v from 'valibot';
import type { ContentPage } from '../../../machines/model/store/content-page.ts';
import type { Api } from '../../client/wire/client.ts';
import { jsonAnswer } from '../../client/wire/json.ts';
import { raise } from '../../client/wire/problem.ts';

const nameShape = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

/** Names come out of addresses that people type: what the contract would refuse is no page. */
const nothing = (): never => raise({ kind: 'refused', code: 'not_found', message: '' });

const Page = v.object({ title: v.string(), html: v.string() });

/**
 * A content page.
 * @throws Problem `unauthorized` for a page that is for customers alone, `refused not_found`.
 */
export const contentPage = async (api: Api, page: string, signal?: AbortSignal): Promise<ContentPage> => {
  if (!nameShape.test(page)) return nothing();
  const sending = api.client.GET('/pages/{page}', { params: { path: { page } }, ...api.reading(signal) });
  const { title, html } = await jsonAnswer(api, 'pages/{page}', sending, Page);
  return { name: title, html };
};
