import { campaignPath, pagePath } from '../../../machines/model/paths.ts';
import { localizeText } from '../../base/language.ts';
import { isId } from '../../base/ids.ts';
import { type HeadRequest, createUnlistedHead, createNotFoundHead } from './head-request.ts';
import type { PageHead } from './page-head.ts';
import { toPlainText } from '../../base/plain-text.ts';

const describeShop = ({ context }: HeadRequest): string => context.language.words.shopDescription(context.shop);

/** `/` */
export async function readLandingHead(request: HeadRequest): Promise<PageHead> {
  const { record, context } = request;
  const logo = record['ShelfLogo'] ?? '';
  const isLinkable = /^(?:https?:\/\/|\/(?!\/))/i.test(logo) && !/\.svg$/i.test(logo);
  return {
    status: 200,
    path: '/',
    description: toPlainText(record['About'] ?? '') || describeShop(request),
    image: isLinkable ? { path: logo } : undefined,
    jsonLd: { '@context': 'https://schema.org', '@type': 'WebSite', name: context.shop, url: `${context.origin}/` },
  };
}

const DOCUMENTS = { about: 'About', terms: 'TermsOfService', privacy: 'PrivacyPolicy' } as const;

/** `/about`, `/terms` and `/privacy` */
export async function readInformationHead(request: HeadRequest): Promise<PageHead> {
  const page = request.segments[0] as keyof typeof DOCUMENTS;
  const description = toPlainText(request.record[DOCUMENTS[page]] ?? '') || describeShop(request);
  return { status: 200, name: request.name, description, path: `/${page}`, type: 'article' };
}

/**
 * `/pages/public/{page}` and `/pages/private/{page}`; nothing about a page for customers is
 * revealed.
 */
export async function readContentPageHead(request: HeadRequest): Promise<PageHead> {
  const [, , name] = request.segments;
  if (!isId(name)) return createNotFoundHead(request);
  const page = await request.services.db
    .selectFrom('pages')
    .select(['name', 'title', 'html', 'is_private', 'translations'])
    .where('store_id', '=', request.store.id)
    .where('name', '=', name.toLowerCase())
    .executeTakeFirst();
  if (!page) return createNotFoundHead(request);
  if (page.is_private) return createUnlistedHead(undefined);
  const description = toPlainText(localizeText(page, 'html', request.storeLanguage)) || describeShop(request);
  return {
    status: 200,
    name: localizeText(page, 'title', request.storeLanguage),
    description,
    path: pagePath(page.name),
    type: 'article',
  };
}

/** `/campaign/{id}` */
export async function readCampaignHead(request: HeadRequest): Promise<PageHead> {
  const [, id] = request.segments;
  if (!isId(id)) return createNotFoundHead(request);
  const row = await request.services.db
    .selectFrom('campaigns')
    .select(['name', 'html', 'translations'])
    .where('store_id', '=', request.store.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return createNotFoundHead(request);
  const description = toPlainText(localizeText(row, 'html', request.storeLanguage)) || describeShop(request);
  return { status: 200, name: localizeText(row, 'name', request.storeLanguage), description, path: campaignPath(id) };
}

/** `/subscription`, where subscriptions are enabled. */
export async function readSubscriptionHead(request: HeadRequest): Promise<PageHead> {
  const { name } = request;
  if (request.record['EnableSubscription'] !== 'true') return createUnlistedHead(name);
  const description = toPlainText(request.record['SubscriptionMessageHtml'] ?? '') || describeShop(request);
  return { status: 200, name, description, path: '/subscription' };
}
