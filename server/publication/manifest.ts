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
  const createLink = (item: PackageItem, spine?: SpineItem): PublicationLink => toLink(item, spine, item === cover, encryption);
  const spineItems = new Set(book.spine.map(({ item }) => item));
  const { toc, pageList, landmarks } = navigation;
  return {
    '@context': 'https://readium.org/webpub-manifest/context.jsonld',
    metadata: readMetadata(book, appleFixed),
    links: [],
    readingOrder: book.spine.filter(({ linear }) => linear).map((entry) => createLink(entry.item, entry)),
    resources: [
      ...book.spine.filter(({ linear }) => !linear).map((entry) => createLink(entry.item, entry)),
      ...book.items.filter((item) => !spineItems.has(item)).map((item) => createLink(item)),
    ],
    toc,
    ...(pageList.length === 0 ? {} : { pageList }),
    ...(landmarks.length === 0 ? {} : { landmarks }),
  };
}

/** EPUB 3 marks the item of the cover; EPUB 2 names it in the metadata. */
function findCover({ items, metadata }: PackageDocument): PackageItem | undefined {
  const coverMeta = findDescendants(metadata, 'meta').find(({ attributes }) => attributes['name'] === 'cover');
  return (
    items.find(({ properties }) => properties.includes('cover-image')) ??
    items.find(({ id }) => coverMeta !== undefined && id === coverMeta.attributes['content'])
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
  const linkProperties: LinkProperties = {
    ...toSpineProperties(spine),
    ...(contains.length === 0 ? {} : { contains }),
    ...(algorithm === undefined ? {} : { encrypted: { algorithm } }),
  };
  return {
    href: path === null ? href : toHref({ path, fragment: '' }),
    type,
    ...(rel.length === 0 ? {} : { rel }),
    ...(Object.keys(linkProperties).length === 0 ? {} : { properties: linkProperties }),
  };
}

function toSpineProperties(spine: SpineItem | undefined): LinkProperties {
  if (spine === undefined) return {};
  const hasProperty = (name: string): boolean => spine.properties.includes(name);
  const page = (['left', 'right', 'center'] as const).find(
    (side) => hasProperty(`page-spread-${side}`) || hasProperty(`rendition:page-spread-${side}`),
  );
  const layout = hasProperty('rendition:layout-pre-paginated')
    ? 'fixed'
    : hasProperty('rendition:layout-reflowable')
      ? 'reflowable'
      : undefined;
  return { spineIndex: spine.index, ...(page === undefined ? {} : { page }), ...(layout === undefined ? {} : { layout }) };
}
