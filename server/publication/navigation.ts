import { toHref, resolveHref } from './book-path.ts';
import type { ContentsLink } from './web-publication.ts';
import { findDescendants, childElements, getText, type XmlElement } from './xml-tree.ts';

export type Navigation = { toc: ContentsLink[]; pageList: ContentsLink[]; landmarks: ContentsLink[] };

/**
 * EPUB 3's navigation document; `path` is its entry's name, to which its addresses are relative.
 */
export function readNavigation(root: XmlElement, path: string): Navigation {
  const lists = findDescendants(root, 'nav');
  const list = (kind: RegExp): ContentsLink[] => {
    const nav = lists.find(({ attributes }) => kind.test(attributes['epub:type'] ?? ''));
    return readList(findDescendants(nav, 'ol')[0], path);
  };
  return { toc: list(/\btoc\b/), pageList: list(/page-list/), landmarks: list(/landmarks/) };
}

function readList(list: XmlElement | undefined, from: string): ContentsLink[] {
  return childElements(list, 'li').map((item) => {
    const anchor = childElements(item, 'a')[0];
    const heading = anchor ?? childElements(item, 'span')[0];
    const title = getText(heading) || (heading?.attributes['title'] ?? '');
    return toContentsLink(title, from, anchor?.attributes['href'], readList(childElements(item, 'ol')[0], from));
  });
}

/** EPUB 2's NCX, for books without a navigation document. */
export function readNcx(root: XmlElement, path: string): Navigation {
  const target = (element: XmlElement): string | undefined => childElements(element, 'content')[0]?.attributes['src'];
  const label = (element: XmlElement): string => getText(childElements(element, 'navLabel')[0]);
  const points = (element: XmlElement | undefined): ContentsLink[] =>
    childElements(element, 'navPoint').map((point) => toContentsLink(label(point), path, target(point), points(point)));
  return {
    toc: points(findDescendants(root, 'navMap')[0]),
    pageList: findDescendants(root, 'pageTarget').map((page) => toContentsLink(label(page), path, target(page), [])),
    landmarks: [],
  };
}

function toContentsLink(title: string, from: string, href: string | undefined, children: ContentsLink[]): ContentsLink {
  const address = href === undefined ? null : resolveHref(from, href);
  return {
    title,
    ...(address === null ? {} : { href: toHref(address) }),
    ...(children.length === 0 ? {} : { children }),
  };
}
