import { toHref } from './book-path.ts';
import type { Navigation } from './navigation.ts';
import type { PackageDocument, PackageItem, SpineItem } from './package-document.ts';
import { readMetadata } from './package-metadata.ts';
import type { LinkProperties, PublicationLink, WebPublication } from './web-publication.ts';
import { findDescendants } from './xml-tree.ts';

type ManifestFacts = {
  navigation: Navigation;
  /** Algorithm by entry, for obfuscated files. */
  encryption: ReadonlyMap<string, string>;
  appleFixed: boolean;
};

/** Converts an EPUB package to a Readium Web Publication Manifest; addresses are book-relative. */
export function buildManifest(book: PackageDocument, { navigation, encryption, appleFixed }: ManifestFacts): WebPublication {
  const cover = findCover(book);
  const link = (item: PackageItem, spine?: SpineItem): PublicationLink => toLink(item, spine, item === cover, encryption);
  const inSpine = new Set(book.spine.map(({ item }) => item));
  const { toc, pageList, landmarks } = navigation;
  return {
    '@context': 'https://readium.org/webpub-manifest/context.jsonld',
    metadata: readMetadata(book, appleFixed),
    links: [],
    readingOrder: book.spine.filter(({ linear }) => linear).map((entry) => link(entry.item, entry)),
    resources: [
      ...book.spine.filter(({ linear }) => !linear).map((entry) => link(entry.item, entry)),
      ...book.items.filter((item) => !inSpine.has(item)).map((item) => link(item)),
    ],
    toc,
    ...(pageList.length === 0 ? {} : { pageList }),
    ...(landmarks.length === 0 ? {} : { landmarks }),
  };
}

/** EPUB 3 marks the item of the cover; EPUB 2 names it in the metadata. */
function findCover({ items, metadata }: PackageDocument): PackageItem | undefined {
  const named = findDescendants(metadata, 'meta').find(({ attributes }) => attributes['name'] === 'cover');
  return (
    items.find(({ properties }) => properties.includes('cover-image')) ??
    items.find(({ id }) => named !== undefined && id === named.attributes['content'])
  );
}

const containsByProperty: Record<string, string> = {
  mathml: 'mathml',
  svg: 'svg',
  scripted: 'js',
  'remote-resources': 'remote-resources',
};

function toLink(
  { path, href, type, properties }: PackageItem,
  spine: SpineItem | undefined,
  isCover: boolean,
  encryption: ReadonlyMap<string, string>,
): PublicationLink {
  const rel = [...(properties.includes('nav') ? ['contents'] : []), ...(isCover ? ['cover'] : [])];
  const contains = properties.flatMap((property) => containsByProperty[property] ?? []);
  const algorithm = path === null ? undefined : encryption.get(path);
  const about: LinkProperties = {
    ...spineProperties(spine),
    ...(contains.length === 0 ? {} : { contains }),
    ...(algorithm === undefined ? {} : { encrypted: { algorithm } }),
  };
  return {
    href: path === null ? href : toHref({ path, fragment: '' }),
    type,
    ...(rel.length === 0 ? {} : { rel }),
    ...(Object.keys(about).length === 0 ? {} : { properties: about }),
  };
}

function spineProperties(spine: SpineItem | undefined): LinkProperties {
  if (spine === undefined) return {};
  const has = (name: string): boolean => spine.properties.includes(name);
  const page = (['left', 'right', 'center'] as const).find(
    (side) => has(`page-spread-${side}`) || has(`rendition:page-spread-${side}`),
  );
  const layout = has('rendition:layout-pre-paginated') ? 'fixed' : has('rendition:layout-reflowable') ? 'reflowable' : undefined;
  return { spineIndex: spine.index, ...(page === undefined ? {} : { page }), ...(layout === undefined ? {} : { layout }) };
}
