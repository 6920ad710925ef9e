import { assertReadable, BrokenPublication } from './broken-publication.ts';
import { resolveHref } from './book-path.ts';
import { findDescendants, getChildElements, getText, type XmlElement } from './xml-tree.ts';

/**
 * An item of the EPUB's manifest. `path` is its entry's name, null when it is outside the
 * container.
 */
export type PackageItem = {
  id: string;
  href: string;
  path: string | null;
  type: string;
  properties: string[];
  fallback: string | undefined;
};

/** `index` counts every itemref of the spine, as CFIs do. */
export type SpineItem = { item: PackageItem; index: number; linear: boolean; properties: string[] };

export type PackageDocument = {
  path: string;
  metadata: XmlElement | undefined;
  uniqueId: string;
  items: PackageItem[];
  spine: SpineItem[];
  direction: string | undefined;
  /** EPUB 2's table of contents, named by the spine. */
  ncx: PackageItem | undefined;
};

/** The path of the package document according to META-INF/container.xml. */
export function readPackagePath(container: XmlElement): string {
  const fullPath = findDescendants(container, 'rootfile')[0]?.attributes['full-path'];
  assertReadable(
    fullPath !== undefined && fullPath !== '',
    'META-INF/container.xml names no package document: expected a rootfile with a full-path',
  );
  const address = resolveHref('container.xml', fullPath);
  if (address === null || fullPath.startsWith('/'))
    throw new BrokenPublication(`the package document is outside the container: ${fullPath}`);
  return address.path;
}

/**
 * Reads the package document (EPUB 2 and 3); throws BrokenPublication for another root element, and
 * without a readable spine.
 */
export function readPackage(root: XmlElement, path: string): PackageDocument {
  assertReadable(root.name === 'package', `the root of the package document is <${root.name}>: expected <package>`);
  const [metadata, manifest, spine] = ['metadata', 'manifest', 'spine'].map((name) => getChildElements(root, name)[0]);
  const items = getChildElements(manifest, 'item').map((item) => readItem(item, path));
  const byId = new Map(items.map((item) => [item.id, item]));
  const spineItems = readSpine(spine, byId);
  assertReadable(spineItems.length > 0, `the book has nothing to read: the spine of ${path} names no item of the manifest`);
  const identifiers = findDescendants(metadata, 'identifier');
  const uniqueIdentifier = identifiers.find(({ attributes }) => attributes['id'] === root.attributes['unique-identifier']);
  return {
    path,
    metadata,
    uniqueId: getText(uniqueIdentifier ?? identifiers[0]),
    items,
    spine: spineItems,
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
    properties: splitTokens(attributes['properties']),
    fallback: attributes['fallback'],
  };
}

function readSpine(spine: XmlElement | undefined, byId: ReadonlyMap<string, PackageItem>): SpineItem[] {
  const seen = new Set<PackageItem>();
  return getChildElements(spine, 'itemref').flatMap(({ attributes }, index) => {
    const declaredItem = byId.get(attributes['idref'] ?? '');
    const item = declaredItem && followFallbacks(declaredItem, byId);
    if (item === undefined || item.path === null || seen.has(item)) return [];
    seen.add(item);
    return [{ item, index, linear: attributes['linear'] !== 'no', properties: splitTokens(attributes['properties']) }];
  });
}

/**
 * Follows fallbacks to the first item that browsers can display; without one, returns the item
 * itself.
 */
function followFallbacks(item: PackageItem, byId: ReadonlyMap<string, PackageItem>): PackageItem {
  let candidate = item;
  for (const tried = new Set<PackageItem>(); !isDisplayable(candidate) && !tried.has(candidate);) {
    tried.add(candidate);
    candidate = byId.get(candidate.fallback ?? '') ?? candidate;
  }
  return isDisplayable(candidate) ? candidate : item;
}

const isDisplayable = ({ type }: PackageItem): boolean => /html|^image\//.test(type);

const splitTokens = (list: string | undefined): string[] => (list ?? '').split(/\s+/).filter(Boolean);
