import type { PackageDocument } from './package-document.ts';
import type { Contributor, Layout, PublicationMetadata } from './web-publication.ts';
import { findDescendants, getText, type XmlElement } from './xml-tree.ts';

const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/';
/** Matches languages that are read from right to left. */
const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ku-arab|ps|sd|ug|ur|yi)\b/i;

/** @param appleFixed whether the display options of Apple's tools declare a fixed layout */
export function readMetadata({ metadata, uniqueId, direction }: PackageDocument, appleFixed: boolean): PublicationMetadata {
  const meta = findDescendants(metadata, 'meta');
  const findElements = (name: string): XmlElement[] =>
    findDescendants(metadata, name).filter(({ space }) => space === DUBLIN_CORE);
  const readTexts = (name: string): string[] =>
    findElements(name)
      .map(getText)
      .filter((text) => text !== '');
  const readProperty = (name: string): string | undefined =>
    getText(meta.find(({ attributes }) => attributes['property'] === name && attributes['refines'] === undefined)) || undefined;

  const [title = '', subtitle] = readTexts('title');
  const language = readTexts('language');
  const declaredLayout = readProperty('rendition:layout');
  const layout: Layout =
    declaredLayout === 'pre-paginated' || (declaredLayout === undefined && appleFixed) ? 'fixed' : 'reflowable';
  const [description, published] = [readTexts('description')[0], readTexts('date')[0]];
  const [spread, orientation, overflow] = ['spread', 'orientation', 'flow'].map((name) => readProperty(`rendition:${name}`));
  return {
    '@type': 'http://schema.org/Book',
    conformsTo: 'https://readium.org/webpub-manifest/profiles/epub',
    identifier: uniqueId,
    title,
    ...(subtitle === undefined ? {} : { subtitle }),
    language,
    author: findElements('creator').map((creator) => readContributor(creator, meta)),
    publisher: readTexts('publisher'),
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
  const readRefinement = (property: string): string | undefined =>
    meta
      .filter((m) => m.attributes['property'] === property && m.attributes['refines'] === `#${attributes['id'] ?? ''}`)
      .map(getText)[0];
  const sortAs = readRefinement('file-as') ?? attributes['file-as'];
  const role = readRefinement('role') ?? attributes['role'];
  return { name: getText(element), ...(sortAs === undefined ? {} : { sortAs }), ...(role === undefined ? {} : { role }) };
}
