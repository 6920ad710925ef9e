import { resolveHref } from './book-path.ts';
import { BrokenPublication, assertReadable } from './broken-publication.ts';
import { buildManifest } from './manifest.ts';
import { readNavigation, readNcx, type Navigation } from './navigation.ts';
import { readEncryption } from './obfuscation.ts';
import { readPackagePath, readPackage, type PackageDocument } from './package-document.ts';
import { listPositions, addPositionCounts } from './positions.ts';
import { decodeText } from './text-encoding.ts';
import type { Positions, WebPublication } from './web-publication.ts';
import { findDescendants, parseXml, getText, type XmlElement } from './xml-tree.ts';
import { ZipArchive } from './zip-archive.ts';
import type { ZipEntry, ZipLimits } from './zip-directory.ts';

/** The facts of an EPUB, as plain data that can be passed between threads. */
export type PublicationFacts = {
  /** The container's files by name. */
  entries: ReadonlyMap<string, ZipEntry>;
  manifest: WebPublication;
  positions: Positions;
  uniqueId: string;
  /** Algorithm by entry. */
  encryption: ReadonlyMap<string, string>;
  /** Media type by entry, as declared by the package. */
  types: ReadonlyMap<string, string>;
};

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const APPLE_OPTIONS = 'META-INF/com.apple.ibooks.display-options.xml';

/**
 * Reads and checks an EPUB file; throws BrokenPublication with the reason when it is broken or
 * hostile. A hostile file may keep its thread busy for long: the server reads books through
 * `publication-threads.ts`.
 */
export async function readPublication(file: string, limits?: ZipLimits): Promise<PublicationFacts> {
  const archive = await ZipArchive.open(file, limits);
  try {
    return await readArchive(archive);
  } finally {
    await archive.close();
  }
}

async function readArchive(archive: ZipArchive): Promise<PublicationFacts> {
  const container = await readDocument(archive, CONTAINER);
  assertReadable(container !== null, `not an EPUB: the container file is missing: ${CONTAINER}`);
  const path = readPackagePath(container);
  const root = await readDocument(archive, path);
  if (root === null) throw new BrokenPublication(`the package document is missing: ${path}`);
  const book = readPackage(root, path);
  const encryptionDocument = await readDocument(archive, ENCRYPTION);
  const encryption = encryptionDocument === null ? new Map<string, string>() : readEncryption(encryptionDocument);
  const navigation = await findNavigation(archive, book);
  const getPackedBytes = (href: string): number => archive.entry(resolveHref('', href)?.path ?? '')?.packed ?? 0;
  const baseManifest = buildManifest(book, { navigation, encryption, appleFixed: await declaresFixedLayout(archive) });
  const manifest = addPositionCounts(baseManifest, ({ href }) => getPackedBytes(href));
  return {
    entries: archive.entries,
    manifest,
    positions: listPositions(manifest),
    uniqueId: book.uniqueId,
    encryption,
    types: new Map(book.items.map((item) => [item.path ?? '', item.type])),
  };
}

async function readDocument(archive: ZipArchive, path: string): Promise<XmlElement | null> {
  const entry = archive.entry(path);
  return entry === undefined ? null : parseXml(decodeText(await archive.readBytes(entry)), path);
}

/**
 * The navigation document, else the NCX; without a readable one, the book has no table of contents.
 */
async function findNavigation(archive: ZipArchive, { items, ncx }: PackageDocument): Promise<Navigation> {
  const navigationItem = items.find(({ properties }) => properties.includes('nav'));
  for (const [item, readNavigationOf] of [
    [navigationItem, readNavigation],
    [ncx, readNcx],
  ] as const) {
    const root = item?.path == null ? null : await readDocument(archive, item.path).catch(() => null);
    if (root === null || item?.path == null) continue;
    const navigation = readNavigationOf(root, item.path);
    if (navigation.toc.length > 0) return navigation;
  }
  return { toc: [], pageList: [], landmarks: [] };
}

async function declaresFixedLayout(archive: ZipArchive): Promise<boolean> {
  const options = await readDocument(archive, APPLE_OPTIONS);
  const option = findDescendants(options ?? undefined, 'option').find(({ attributes }) => attributes['name'] === 'fixed-layout');
  return getText(option) === 'true';
}
