/** The subset of OPDS 2.0 (drafts.opds.io/opds-2.0) that the shop uses; addresses are absolute. */
export type OpdsLink = {
  href: string;
  type: string;
  rel?: string;
  title?: string;
  templated?: true;
  width?: number;
  height?: number;
  properties?: {
    price?: { value: number; currency: string };
    indirectAcquisition?: { type: string }[];
    numberOfItems?: number;
  };
};

export type OpdsPublication = {
  metadata: {
    '@type': string;
    identifier: string;
    title: string;
    subtitle?: string;
    author?: { name: string }[];
    narrator?: { name: string }[];
    publisher?: { name: string };
    language?: string;
    published?: string;
    modified: string;
    description?: string;
    duration?: number;
    numberOfPages?: number;
    belongsTo?: { series: { name: string; position?: number }[] };
  };
  links: OpdsLink[];
  images: OpdsLink[];
};

export type OpdsFeed = {
  metadata: { title: string; numberOfItems?: number; itemsPerPage?: number };
  links: OpdsLink[];
  navigation?: OpdsLink[];
  publications?: OpdsPublication[];
};

export const FEED_TYPE = 'application/opds+json';
export const PUBLICATION_TYPE = 'application/opds-publication+json';
