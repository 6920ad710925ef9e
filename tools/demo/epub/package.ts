import { escapeText } from '../text.ts';
import type { Work } from '../source/work.ts';

export interface Resource {
  /** The path inside OEBPS. */
  href: string;
  mediaType: string;
  data: Uint8Array | string;
  properties?: string;
  /** The attributes of its spine item; a resource without them is not in the spine. */
  spine?: { linear?: 'no'; properties?: string };
}

export interface Publication {
  work: Work;
  /** 13 digits, or null. */
  isbn13: string | null;
  identifier: string;
  fixed: boolean;
  sampleOf?: string;
  resources: Resource[];
}

const toItemId = (href: string): string => `r-${href.replace(/[^\w]+/g, '-')}`;

function formatMetadata({ work, isbn13, identifier, fixed, sampleOf }: Publication): string {
  const authors = work.authors.map(
    (author, i) => `<dc:creator id="author-${i + 1}">${escapeText(author)}</dc:creator>
    <meta refines="#author-${i + 1}" property="role" scheme="marc:relators">aut</meta>
    <meta refines="#author-${i + 1}" property="file-as">${escapeText(author.replace(/^(.*) (\S+)$/, '$2, $1'))}</meta>`,
  );
  const subtitle = work.subtitle
    ? [
        `<dc:title id="subtitle">${escapeText(work.subtitle)}</dc:title>`,
        '<meta refines="#subtitle" property="title-type">subtitle</meta>',
      ]
    : [];
  return [
    `<dc:identifier id="id">${identifier}</dc:identifier>`,
    ...(isbn13 && !sampleOf ? [`<dc:source>urn:isbn:${isbn13}</dc:source>`] : []),
    `<dc:title id="title">${escapeText(sampleOf ?? work.title)}</dc:title>`,
    '<meta refines="#title" property="title-type">main</meta>',
    ...subtitle,
    `<dc:language>${work.language}</dc:language>`,
    ...authors,
    `<dc:publisher>${escapeText(work.publisher)}</dc:publisher>`,
    `<dc:date>${work.publishedOn}</dc:date>`,
    `<dc:description>${escapeText(work.description)}</dc:description>`,
    ...work.categories.map((category) => `<dc:subject>${escapeText(category.replace('/', ' / '))}</dc:subject>`),
    `<meta property="dcterms:modified">${work.publishedOn}T00:00:00Z</meta>`,
    '<meta property="schema:accessMode">textual</meta>',
    '<meta property="schema:accessMode">visual</meta>',
    '<meta property="schema:accessModeSufficient">textual</meta>',
    '<meta property="schema:accessibilityFeature">alternativeText</meta>',
    '<meta property="schema:accessibilityFeature">tableOfContents</meta>',
    '<meta property="schema:accessibilityHazard">none</meta>',
    ...(fixed
      ? [
          '<meta property="rendition:layout">pre-paginated</meta>',
          '<meta property="rendition:spread">none</meta>',
          '<meta property="rendition:orientation">auto</meta>',
        ]
      : []),
    '<meta name="cover" content="r-cover-jpg"/>',
  ].join('\n    ');
}

/** The package document (EPUB 3.3). */
export function createPackageDocument(publication: Publication): string {
  const { resources, work } = publication;
  const manifest = resources.map(
    ({ href, mediaType, properties }) =>
      `<item id="${toItemId(href)}" href="${href}" media-type="${mediaType}"${properties ? ` properties="${properties}"` : ''}/>`,
  );
  const spine = resources.flatMap(({ href, spine: spineItem }) =>
    spineItem
      ? [
          `<itemref idref="${toItemId(href)}"${spineItem.linear ? ` linear="${spineItem.linear}"` : ''}${spineItem.properties ? ` properties="${spineItem.properties}"` : ''}/>`,
        ]
      : [],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="${work.language}" prefix="schema: http://schema.org/">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    ${formatMetadata(publication)}
  </metadata>
  <manifest>
    ${manifest.join('\n    ')}
  </manifest>
  <spine>
    ${spine.join('\n    ')}
  </spine>
</package>
`;
}
