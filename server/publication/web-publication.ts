/**
 * The subset of the Readium Web Publication Manifest (readium.org/webpub-manifest) that describes a
 * book.
 */
export type WebPublication = {
  '@context': 'https://readium.org/webpub-manifest/context.jsonld';
  metadata: PublicationMetadata;
  links: PublicationLink[];
  readingOrder: PublicationLink[];
  resources: PublicationLink[];
  toc: ContentsLink[];
  pageList?: ContentsLink[];
  landmarks?: ContentsLink[];
};

export type Layout = 'fixed' | 'reflowable';

export type PublicationMetadata = {
  '@type': 'http://schema.org/Book';
  conformsTo: 'https://readium.org/webpub-manifest/profiles/epub';
  identifier: string;
  title: string;
  subtitle?: string;
  language: string[];
  author: Contributor[];
  publisher: string[];
  description?: string;
  published?: string;
  /** Never `auto`: readers take the direction of page turns only from here. */
  readingProgression: 'ltr' | 'rtl';
  layout: Layout;
  presentation: { layout: Layout; spread?: string; orientation?: string; overflow?: string };
};

export type Contributor = { name: string; sortAs?: string; role?: string };

export type PublicationLink = { href: string; type: string; rel?: string[]; properties?: LinkProperties };

export type LinkProperties = {
  /** Side of a spread. */
  page?: 'left' | 'right' | 'center';
  layout?: Layout;
  contains?: string[];
  encrypted?: { algorithm: string };
  /**
   * The item's index in the whole spine, from 0, including items outside the reading order, as CFIs
   * count.
   */
  spineIndex?: number;
  /** The number of positions of an item in the reading order. Our own extension. */
  positions?: number;
};

export type ContentsLink = { title: string; href?: string; children?: ContentsLink[] };

/** Readium's positions list: fixed points in the book, independent of window and font size. */
export type Positions = { total: number; positions: Position[] };
export type Position = {
  href: string;
  type: string;
  locations: { progression: number; position: number; totalProgression: number };
};
