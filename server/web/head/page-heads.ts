import { campaignPath, pagePath } from '../../../machines/model/paths.ts';
import { type HeadRequest, unlistedHead, isId, notFoundHead } from './head-request.ts';
import type { PageHead } from './page-head.ts';
import { plainText } from './plain-text.ts';
import { fill } from './words.ts';

const shopDescription = ({ setting }: HeadRequest): string =>
  fill(setting.language.words.shopDescription, { shop: setting.shop });

/** `/` */
export async function landing(asked: HeadRequest): Promise<PageHead> {
  const { record, setting } = asked;
  const logo = record['ShelfLogo'] ?? '';
  const shows = /^(?:https?:\/\/|\/(?!\/))/i.test(logo) && !/\.svg$/i.test(logo);
  return {
    status: 200,
    path: '/',
    description: plainText(record['About'] ?? '') || shopDescription(asked),
    image: shows ? { path: logo } : undefined,
    jsonLd: { '@context': 'https://schema.org', '@type': 'WebSite', name: setting.shop, url: `${setting.origin}/` },
  };
}

const DOCUMENTS = { about: 'About', terms: 'TermsOfService', privacy: 'PrivacyPolicy' } as const;

/** `/about`, `/terms` and `/privacy` */
export async function information(asked: HeadRequest): Promise<PageHead> {
  const page = asked.parts[0] as keyof typeof DOCUMENTS;
  const description = plainText(asked.record[DOCUMENTS[page]] ?? '') || shopDescription(asked);
  return { status: 200, name: asked.name, description, path: `/${page}`, type: 'article' };
}

/** `/pages/public/{page}` and `/pages/private/{page}`; of a page for customers nothing is told. */
export async function contentPage(asked: HeadRequest): Promise<PageHead> {
  const [, , name] = asked.parts;
  if (!isId(name)) return notFoundHead(asked);
  const page = await asked.services.db
    .selectFrom('pages')
    .select(['name', 'title', 'html', 'is_private'])
    .where('store_id', '=', asked.store.id)
    .where('name', '=', name.toLowerCase())
    .executeTakeFirst();
  if (!page) return notFoundHead(asked);
  if (page.is_private) return unlistedHead(undefined);
  const description = plainText(page.html) || shopDescription(asked);
  return { status: 200, name: page.title, description, path: pagePath(page.name), type: 'article' };
}

/** `/campaign/{id}` */
export async function campaign(asked: HeadRequest): Promise<PageHead> {
  const [, id] = asked.parts;
  if (!isId(id)) return notFoundHead(asked);
  const row = await asked.services.db
    .selectFrom('campaigns')
    .select(['name', 'html'])
    .where('store_id', '=', asked.store.id)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return notFoundHead(asked);
  return { status: 200, name: row.name, description: plainText(row.html) || shopDescription(asked), path: campaignPath(id) };
}

/** `/subscription`, where the store has any. */
export async function subscription(asked: HeadRequest): Promise<PageHead> {
  const { name } = asked;
  if (asked.record['EnableSubscription'] !== 'true') return unlistedHead(name);
  const description = plainText(asked.record['SubscriptionMessageHtml'] ?? '') || shopDescription(asked);
  return { status: 200, name, description, path: '/subscription' };
}
