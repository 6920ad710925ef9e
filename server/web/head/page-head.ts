import { escapeXml } from '../../base/xml/write.ts';
import { languages, type HeadLanguage } from './words.ts';

/** A page's metadata for search engines and link previews. All texts are plain and untrusted. */
export type PageHead = {
  status: 200 | 404;
  /** without the store's name; undefined for the store's name alone */
  name?: string | undefined;
  description: string;
  /** canonical path below the store's origin; undefined for pages that must not be indexed */
  path?: string | undefined;
  type?: 'website' | 'article' | 'book' | 'video.other';
  image?: { path: string; width?: number | undefined; height?: number | undefined } | undefined;
  /** further Open Graph properties */
  more?: [property: string, content: string][];
  /** schema.org's description; addresses in it are absolute */
  jsonLd?: object;
};

/** The origin, store name (`shop`) and language of a page. */
export type HeadContext = { origin: string; shop: string; language: HeadLanguage; hasLangParameter: boolean };

const renderMeta = (attribute: 'name' | 'property', name: string, content: string): string =>
  `<meta ${attribute}="${name}" content="${escapeXml(content)}" />`;

/** JSON that cannot close the element around it. */
export const toElementJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const addLanguage = (address: string, code: string): string => `${address}?lang=${code}`;

/** An absolute address: a path gets the store's origin, another host stays. */
export const toAbsoluteUrl = (path: string, origin: string): string => (/^https?:\/\//i.test(path) ? path : `${origin}${path}`);

/** The links of the page as requested, and of the same page in every language. */
function renderAddresses(path: string, { origin, language, hasLangParameter }: HeadContext): string[] {
  const plainUrl = `${origin}${path}`;
  const canonicalUrl = hasLangParameter ? addLanguage(plainUrl, language.code) : plainUrl;
  return [
    `<link rel="canonical" href="${escapeXml(canonicalUrl)}" />`,
    ...languages.map(
      ({ code }) => `<link rel="alternate" hreflang="${code}" href="${escapeXml(addLanguage(plainUrl, code))}" />`,
    ),
    `<link rel="alternate" hreflang="x-default" href="${escapeXml(plainUrl)}" />`,
    renderMeta('property', 'og:url', canonicalUrl),
  ];
}

function renderPicture({ image }: PageHead, origin: string): string[] {
  if (!image) return [];
  return [
    renderMeta('property', 'og:image', toAbsoluteUrl(image.path, origin)),
    ...(image.width ? [renderMeta('property', 'og:image:width', String(image.width))] : []),
    ...(image.height ? [renderMeta('property', 'og:image:height', String(image.height))] : []),
  ];
}

export const formatPageTitle = ({ name }: PageHead, { shop }: HeadContext): string => (name ? `${name} · ${shop}` : shop);

/** The head's elements except the title, as markup. */
export function renderHeadTags(head: PageHead, context: HeadContext): string {
  const { name, description, path, type = 'website', more = [], jsonLd } = head;
  if (path === undefined) return renderMeta('name', 'robots', 'noindex');
  return [
    renderMeta('name', 'description', description),
    ...renderAddresses(path, context),
    renderMeta('property', 'og:type', type),
    renderMeta('property', 'og:site_name', context.shop),
    renderMeta('property', 'og:title', name ?? context.shop),
    renderMeta('property', 'og:description', description),
    renderMeta('property', 'og:locale', context.language.locale),
    `<link rel="alternate" type="application/opds+json" title="${escapeXml(context.shop)}" href="${escapeXml(context.hasLangParameter ? addLanguage(`${context.origin}/opds`, context.language.code) : `${context.origin}/opds`)}" />`,
    ...renderPicture(head, context.origin),
    ...more.map(([property, content]) => renderMeta('property', property, content)),
    renderMeta('name', 'twitter:card', head.image ? 'summary_large_image' : 'summary'),
    ...(jsonLd ? [`<script type="application/ld+json">${toElementJson(jsonLd)}</script>`] : []),
  ].join('');
}
