import * as v from 'valibot';
import { ContentPage } from '../../../machines/model/content-page.ts';
import { TitleSummary } from '../../../machines/model/title.ts';
import { xmlAnswer } from '../../client/answer.ts';
import type { Api } from '../../client/client.ts';
import { jsonAnswer } from '../../client/json.ts';
import { checked, raise } from '../../client/problem.ts';
import { sieve } from '../../client/sieve.ts';
import { summaryFields } from '../../client/title-fields.ts';
import { itemsOf, textIn } from '../../client/xml-node.ts';

const nameShape = /^[a-z0-9][a-z0-9_-]{0,63}$/i;
const idShape = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

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
  return { name: title, html, titles: [] };
};

/**
 * What a campaign says of itself, and the titles that it is about.
 * @throws Problem `refused not_found`
 */
export const campaignPage = async (api: Api, campaignId: string, signal?: AbortSignal): Promise<ContentPage> => {
  if (!idShape.test(campaignId)) return nothing();
  const call = 'campaign/titles';
  const sending = api.client.GET('/campaign/titles', { params: { query: { campaignId } }, ...api.reading(signal) });
  const root = await xmlAnswer(api, call, sending, 'campaign');
  const readable = sieve(api, call, 'titles', TitleSummary);
  const titles = itemsOf(root, 'Titles', 'Title').flatMap((node) => readable.take(summaryFields(node, api.base)));
  return checked(call, ContentPage, { name: textIn(root, 'Name'), html: textIn(root, 'Message') ?? '', titles });
};
