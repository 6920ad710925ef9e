import type { PackageDocument } from './package-document.ts';
import type { Contributor, Layout, PublicationMetadata } from './web-publication.ts';
import { findDescendants, getText, type XmlElement } from './xml-tree.ts';

const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/';
// Languages that are read from right to left.
const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ku-arab|ps|sd|ug|ur|yi)\b/i;

/** `appleFixed`: the display options of Apple's tools beside the package declare a fixed layout. */
export function readMetadata({ metadata, uniqueId, direction }: PackageDocument, appleFixed: boolean): PublicationMetadata {
  const meta = findDescendants(metadata, 'meta');
  const all = (name: string): XmlElement[] => findDescendants(metadata, name).filter(({ space }) => space === DUBLIN_CORE);
  const texts = (name: string): string[] =>
    all(name)
      .map(getText)
      .filter((text) => text !== '');
  const property = (name: string): string | undefined =>
    getText(meta.find(({ attributes }) => attributes['property'] === name && attributes['refines'] === undefined)) || undefined;

  const [title = '', subtitle] = texts('title');
  const language = texts('language');
  const declared = property('rendition:layout');
  const layout: Layout = declared === 'pre-paginated' || (declared === undefined && appleFixed) ? 'fixed' : 'reflowable';
  const [description, published] = [texts('description')[0], texts('date')[0]];
  const [spread, orientation, overflow] = ['spread', 'orientation', 'flow'].map((name) => property(`rendition:${name}`));
  return {
    '@type': 'http://schema.org/Book',
    conformsTo: 'https://readium.org/webpub-manifest/profiles/epub',
    identifier: uniqueId,
    title,
    ...(subtitle === undefined ? {} : { subtitle }),
    language,
    author: all('creator').map((creator) => readContributor(creator, meta)),
    publisher: texts('publisher'),
    ...(description === undefined ? {} : { description }),
    ...(published === undefined ? {} : { published }),
    readingProgression: getProgression(direction, layout, language[0] ?? ''),
    layout,
    presentation: {
      layout,
      ...(spread === undefined ? {} : { spread }),
      ...(orientation === undefined ? {} : { orientation }),
      ...(overflow === undefined ? {} : { overflow: overflow.startsWith('scrolled') ? 'scrolled' : overflow }),
    },
  };
}

function getProgression(direction: string | undefined, layout: Layout, language: string): 'ltr' | 'rtl' {
  if (direction === 'rtl' || direction === 'ltr') return direction;
  return layout === 'reflowable' && RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr';
}

function readContributor(element: XmlElement, meta: XmlElement[]): Contributor {
  const { attributes } = element;
  const refined = (property: string): string | undefined =>
    meta
      .filter((m) => m.attributes['property'] === property && m.attributes['refines'] === `#${attributes['id'] ?? ''}`)
      .map(getText)[0];
  const sortAs = refined('file-as') ?? attributes['file-as'];
  const role = refined('role') ?? attributes['role'];
  return { name: getText(element), ...(sortAs === undefined ? {} : { sortAs }), ...(role === undefined ? {} : { role }) };
}
