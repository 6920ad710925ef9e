import { demand, BrokenPublication } from './broken-publication.ts';
import { resolveHref } from './book-path.ts';
import { descendants, elementsOf, textOf, type XmlElement } from './xml-tree.ts';

/** An item of the EPUB's manifest. `path` is its entry's name, null when it lies out of the container. */
export type PackageItem = {
  id: string;
  href: string;
  path: string | null;
  type: string;
  properties: string[];
  fallback: string | undefined;
};

/** `index` counts every itemref of the spine, so that CFIs stay true. */
export type SpineItem = { item: PackageItem; index: number; linear: boolean; properties: string[] };

export type PackageDocument = {
  path: string;
  metadata: XmlElement | undefined;
  uniqueId: string;
  items: PackageItem[];
  spine: SpineItem[];
  direction: string | undefined;
  /** The old table of contents that the spine names. */
  ncx: PackageItem | undefined;
};

/** Where META-INF/container.xml says that the package document is. */
export function packagePath(container: XmlElement): string {
  const full = descendants(container, 'rootfile')[0]?.attributes['full-path'];
  demand(full !== undefined && full !== '', 'the container names no package document');
  const address = resolveHref('container.xml', full);
  if (address === null || full.startsWith('/'))
    throw new BrokenPublication(`the package document lies out of the container: ${full}`);
  return address.path;
}

/** Reads the package document (EPUB 2 and 3); throws BrokenPublication when it has no readable spine. */
export function readPackage(root: XmlElement, path: string): PackageDocument {
  demand(root.name === 'package', 'the package document is of another kind');
  const [metadata, manifest, spine] = ['metadata', 'manifest', 'spine'].map((name) => elementsOf(root, name)[0]);
  const items = elementsOf(manifest, 'item').map((item) => readItem(item, path));
  const byId = new Map(items.map((item) => [item.id, item]));
  const found = readSpine(spine, byId);
  demand(found.length > 0, 'the book has nothing to read');
  const identifiers = descendants(metadata, 'identifier');
  const unique = identifiers.find(({ attributes }) => attributes['id'] === root.attributes['unique-identifier']);
  return {
    path,
    metadata,
    uniqueId: textOf(unique ?? identifiers[0]),
    items,
    spine: found,
    direction: spine?.attributes['page-progression-direction'],
    ncx: byId.get(spine?.attributes['toc'] ?? '') ?? items.find(({ type }) => type === 'application/x-dtbncx+xml'),
  };
}

function readItem({ attributes }: XmlElement, from: string): PackageItem {
  const href = attributes['href'] ?? '';
  return {
    id: attributes['id'] ?? '',
    href,
    path: resolveHref(from, href)?.path ?? null,
    type: attributes['media-type'] ?? 'application/octet-stream',
    properties: tokens(attributes['properties']),
    fallback: attributes['fallback'],
  };
}

function readSpine(spine: XmlElement | undefined, byId: ReadonlyMap<string, PackageItem>): SpineItem[] {
  const seen = new Set<PackageItem>();
  return elementsOf(spine, 'itemref').flatMap(({ attributes }, index) => {
    const named = byId.get(attributes['idref'] ?? '');
    const item = named && followFallbacks(named, byId);
    if (item === undefined || item.path === null || seen.has(item)) return [];
    seen.add(item);
    return [{ item, index, linear: attributes['linear'] !== 'no', properties: tokens(attributes['properties']) }];
  });
}

/** Follows fallbacks to the first item that a browser shows. */
function followFallbacks(item: PackageItem, byId: ReadonlyMap<string, PackageItem>): PackageItem {
  let shown = item;
  for (const tried = new Set<PackageItem>(); !isDisplayable(shown) && !tried.has(shown);) {
    tried.add(shown);
    shown = byId.get(shown.fallback ?? '') ?? shown;
  }
  return isDisplayable(shown) ? shown : item;
}

const isDisplayable = ({ type }: PackageItem): boolean => /html|^image\//.test(type);

const tokens = (list: string | undefined): string[] => (list ?? '').split(/\s+/).filter(Boolean);
