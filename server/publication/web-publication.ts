/** The parts of the Readium Web Publication Manifest (readium.org/webpub-manifest) that a book is described with. */
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
  /** Never `auto`: readers take the direction in which pages turn from here alone. */
  readingProgression: 'ltr' | 'rtl';
  layout: Layout;
  presentation: { layout: Layout; spread?: string; orientation?: string; overflow?: string };
};

export type Contributor = { name: string; sortAs?: string; role?: string };

export type PublicationLink = { href: string; type: string; rel?: string[]; properties?: LinkProperties };

export type LinkProperties = {
  /** Which side of a spread. */
  page?: 'left' | 'right' | 'center';
  layout?: Layout;
  contains?: string[];
  encrypted?: { algorithm: string };
  /** The item's place among all of the spine, from 0, those left out of the reading order counted: CFIs count so. */
  spineIndex?: number;
  /** How many positions of the list an item of the reading order has. An addition of ours. */
  positions?: number;
};

export type ContentsLink = { title: string; href?: string; children?: ContentsLink[] };

/** Readium's positions list: fixed points through the book, the same in every window and at every size of type. */
export type Positions = { total: number; positions: Position[] };
export type Position = {
  href: string;
  type: string;
  locations: { progression: number; position: number; totalProgression: number };
};
