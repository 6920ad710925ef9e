import { toHref, resolveHref } from './book-path.ts';
import type { ContentsLink } from './web-publication.ts';
import { findDescendants, getChildElements, getText, type XmlElement } from './xml-tree.ts';

export type Navigation = { toc: ContentsLink[]; pageList: ContentsLink[]; landmarks: ContentsLink[] };

/**
 * Reads EPUB 3's navigation document; `path` is its entry's name, to which its addresses are
 * relative.
 */
export function readNavigation(root: XmlElement, path: string): Navigation {
  const lists = findDescendants(root, 'nav');
  const readNamedList = (kind: RegExp): ContentsLink[] => {
    const nav = lists.find(({ attributes }) => kind.test(attributes['epub:type'] ?? ''));
    return readList(findDescendants(nav, 'ol')[0], path);
  };
  return { toc: readNamedList(/\btoc\b/), pageList: readNamedList(/page-list/), landmarks: readNamedList(/landmarks/) };
}

function readList(list: XmlElement | undefined, from: string): ContentsLink[] {
  return getChildElements(list, 'li').map((item) => {
    const anchor = getChildElements(item, 'a')[0];
    const heading = anchor ?? getChildElements(item, 'span')[0];
    const title = getText(heading) || (heading?.attributes['title'] ?? '');
    return toContentsLink(title, from, anchor?.attributes['href'], readList(getChildElements(item, 'ol')[0], from));
  });
}

/** Reads EPUB 2's NCX, for books without a navigation document. */
export function readNcx(root: XmlElement, path: string): Navigation {
  const getTarget = (element: XmlElement): string | undefined => getChildElements(element, 'content')[0]?.attributes['src'];
  const getLabel = (element: XmlElement): string => getText(getChildElements(element, 'navLabel')[0]);
  const readPoints = (element: XmlElement | undefined): ContentsLink[] =>
    getChildElements(element, 'navPoint').map((point) =>
      toContentsLink(getLabel(point), path, getTarget(point), readPoints(point)),
    );
  return {
    toc: readPoints(findDescendants(root, 'navMap')[0]),
    pageList: findDescendants(root, 'pageTarget').map((page) => toContentsLink(getLabel(page), path, getTarget(page), [])),
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
