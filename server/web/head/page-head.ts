import { escapeXml } from '../../base/xml/write.ts';
import { languages, type Language } from './words.ts';

/** A page's metadata for search engines and link previews. All texts are plain and untrusted. */
export type PageHead = {
  status: 200 | 404;
  /** without the store's name; undefined when the page has none but that */
  name?: string | undefined;
  description: string;
  /** the one address of what is shown, below the store's; undefined for pages that must not be indexed */
  path?: string | undefined;
  type?: 'website' | 'article' | 'book' | 'video.other';
  image?: { path: string; width?: number | undefined; height?: number | undefined } | undefined;
  /** more of Open Graph's properties */
  more?: [property: string, content: string][];
  /** schema.org's description; addresses in it are absolute */
  jsonLd?: object;
};

/** Whose page it is, where, and in which language it was asked for. */
export type Setting = { origin: string; shop: string; language: Language; asked: boolean };

const meta = (attribute: 'name' | 'property', name: string, content: string): string =>
  `<meta ${attribute}="${name}" content="${escapeXml(content)}" />`;

/** JSON that cannot end the element it stands in. */
export const inElement = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const inLanguage = (address: string, code: string): string => `${address}?lang=${code}`;

/** An address of the store itself, or the address as it is when it names another host. */
export const absolute = (path: string, origin: string): string => (/^https?:\/\//i.test(path) ? path : `${origin}${path}`);

/** The address of the page as it was asked for, and of the same page in every language. */
function addresses(path: string, { origin, language, asked }: Setting): string[] {
  const plain = `${origin}${path}`;
  const own = asked ? inLanguage(plain, language.code) : plain;
  return [
    `<link rel="canonical" href="${escapeXml(own)}" />`,
    ...languages.map(({ code }) => `<link rel="alternate" hreflang="${code}" href="${escapeXml(inLanguage(plain, code))}" />`),
    `<link rel="alternate" hreflang="x-default" href="${escapeXml(plain)}" />`,
    meta('property', 'og:url', own),
  ];
}

function picture({ image }: PageHead, origin: string): string[] {
  if (!image) return [];
  return [
    meta('property', 'og:image', absolute(image.path, origin)),
    ...(image.width ? [meta('property', 'og:image:width', String(image.width))] : []),
    ...(image.height ? [meta('property', 'og:image:height', String(image.height))] : []),
  ];
}

export const titleOf = ({ name }: PageHead, { shop }: Setting): string => (name ? `${name} · ${shop}` : shop);

/** The head's elements but the title, as markup. */
export function tagsOf(head: PageHead, setting: Setting): string {
  const { name, description, path, type = 'website', more = [], jsonLd } = head;
  if (path === undefined) return meta('name', 'robots', 'noindex');
  return [
    meta('name', 'description', description),
    ...addresses(path, setting),
    meta('property', 'og:type', type),
    meta('property', 'og:site_name', setting.shop),
    meta('property', 'og:title', name ?? setting.shop),
    meta('property', 'og:description', description),
    meta('property', 'og:locale', setting.language.locale),
    `<link rel="alternate" type="application/opds+json" title="${escapeXml(setting.shop)}" href="${escapeXml(setting.asked ? inLanguage(`${setting.origin}/opds`, setting.language.code) : `${setting.origin}/opds`)}" />`,
    ...picture(head, setting.origin),
    ...more.map(([property, content]) => meta('property', property, content)),
    meta('name', 'twitter:card', head.image ? 'summary_large_image' : 'summary'),
    ...(jsonLd ? [`<script type="application/ld+json">${inElement(jsonLd)}</script>`] : []),
  ].join('');
}
