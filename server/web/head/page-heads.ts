import { campaignPath, pagePath } from '../../../machines/model/paths.ts';
import { localizeText } from '../../base/language.ts';
import { isId } from '../../base/ids.ts';
import { type HeadRequest, unlistedHead, notFoundHead } from './head-request.ts';
import type { PageHead } from './page-head.ts';
import { toPlainText } from '../../base/plain-text.ts';

const shopDescription = ({ setting }: HeadRequest): string => setting.language.words.shopDescription(setting.shop);

/** `/` */
export async function landing(request: HeadRequest): Promise<PageHead> {
  const { record, setting } = request;
  const logo = record['ShelfLogo'] ?? '';
  const shows = /^(?:https?:\/\/|\/(?!\/))/i.test(logo) && !/\.svg$/i.test(logo);
  return {
    status: 200,
    path: '/',
    description: toPlainText(record['About'] ?? '') || shopDescription(request),
    image: shows ? { path: logo } : undefined,
    jsonLd: { '@context': 'https://schema.org', '@type': 'WebSite', name: setting.shop, url: `${setting.origin}/` },
  };
}

const DOCUMENTS = { about: 'About', terms: 'TermsOfService', privacy: 'PrivacyPolicy' } as const;

/** `/about`, `/terms` and `/privacy` */
export async function information(request: HeadRequest): Promise<PageHead> {
  const page = request.parts[0] as keyof typeof DOCUMENTS;
  const description = toPlainText(request.record[DOCUMENTS[page]] ?? '') || shopDescription(request);
  return { status: 200, name: request.name, description, path: `/${page}`, type: 'article' };
}

/**
 * `/pages/public/{page}` and `/pages/private/{page}`; nothing about a page for customers is
 * revealed.
 */
export async function contentPage(request: HeadRequest): Promise<PageHead> {
  const [, , name] = request.parts;
  if (!isId(name)) return notFoundHead(request);
  const page = await request.services.db
    .selectFrom('pages')
    .select(['name', 'title', 'html', 'is_private', 'translations'])
    .where('store_id', '=', request.store.id)
    .where('name', '=', name.toLowerCase())
    .executeTakeFirst();
  if (!page) return notFoundHead(request);
  if (page.is_private) return unlistedHead(undefined);
  const description = toPlainText(localizeText(page, 'html', request.spoken)) || shopDescription(request);
  return {
    status: 200,
    name: localizeText(page, 'title', request.spoken),
    description,
    path: pagePath(page.name),
    type: 'article',
  };
}

/** `/campaign/{id}` */
export async function campaign(request: HeadRequest): Promise<PageHead> {
  const [, id] = request.parts;
  if (!isId(id)) return notFoundHead(request);
  const row = await request.services.db
    .selectFrom('campaigns')
    .select(['name', 'html', 'translations'])
    .where('store_id', '=', request.store.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return notFoundHead(request);
  const description = toPlainText(localizeText(row, 'html', request.spoken)) || shopDescription(request);
  return { status: 200, name: localizeText(row, 'name', request.spoken), description, path: campaignPath(id) };
}

/** `/subscription`, where subscriptions are enabled. */
export async function subscription(request: HeadRequest): Promise<PageHead> {
  const { name } = request;
  if (request.record['EnableSubscription'] !== 'true') return unlistedHead(name);
  const description = toPlainText(request.record['SubscriptionMessageHtml'] ?? '') || shopDescription(request);
  return { status: 200, name, description, path: '/subscription' };
}
