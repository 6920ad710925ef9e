import { hrefOf, resolveHref } from './book-path.ts';
import type { ContentsLink } from './web-publication.ts';
import { descendants, elementsOf, textOf, type XmlElement } from './xml-tree.ts';

export type Navigation = { toc: ContentsLink[]; pageList: ContentsLink[]; landmarks: ContentsLink[] };

/** EPUB 3's navigation document; `path` is its entry's name, which its addresses are relative to. */
export function readNavigation(root: XmlElement, path: string): Navigation {
  const lists = descendants(root, 'nav');
  const list = (kind: RegExp): ContentsLink[] => {
    const nav = lists.find(({ attributes }) => kind.test(attributes['epub:type'] ?? ''));
    return readList(descendants(nav, 'ol')[0], path);
  };
  return { toc: list(/\btoc\b/), pageList: list(/page-list/), landmarks: list(/landmarks/) };
}

function readList(list: XmlElement | undefined, from: string): ContentsLink[] {
  return elementsOf(list, 'li').map((item) => {
    const anchor = elementsOf(item, 'a')[0];
    const heading = anchor ?? elementsOf(item, 'span')[0];
    const title = textOf(heading) || (heading?.attributes['title'] ?? '');
    return contentsLink(title, from, anchor?.attributes['href'], readList(elementsOf(item, 'ol')[0], from));
  });
}

/** EPUB 2's NCX, for books without a navigation document. */
export function readNcx(root: XmlElement, path: string): Navigation {
  const target = (element: XmlElement): string | undefined => elementsOf(element, 'content')[0]?.attributes['src'];
  const label = (element: XmlElement): string => textOf(elementsOf(element, 'navLabel')[0]);
  const points = (element: XmlElement | undefined): ContentsLink[] =>
    elementsOf(element, 'navPoint').map((point) => contentsLink(label(point), path, target(point), points(point)));
  return {
    toc: points(descendants(root, 'navMap')[0]),
    pageList: descendants(root, 'pageTarget').map((page) => contentsLink(label(page), path, target(page), [])),
    landmarks: [],
  };
}

function contentsLink(title: string, from: string, href: string | undefined, children: ContentsLink[]): ContentsLink {
  const address = href === undefined ? null : resolveHref(from, href);
  return {
    title,
    ...(address === null ? {} : { href: hrefOf(address) }),
    ...(children.length === 0 ? {} : { children }),
  };
}
