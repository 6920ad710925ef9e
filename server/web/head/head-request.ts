import type { Configuration } from '../../api/store/properties.ts';
import type { StoreLanguage } from '../../base/language.ts';
import type { Store } from '../../stores/stores.ts';
import type { Services } from '../../services.ts';
import { type HeadLanguage, languages } from './words.ts';
import type { PageHead, HeadContext } from './page-head.ts';

/** A requested address of the shop, with the store's data. */
export type HeadRequest = {
  services: Pick<Services, 'db' | 'cache'>;
  store: Store;
  record: Configuration['record'];
  context: HeadContext;
  storeLanguage: StoreLanguage;
  /** the path's segments, decoded; invalid ones stay as they are */
  segments: string[];
  /** name of the page in the registry of flows, in the requested language */
  name?: string | undefined;
};

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The segments of a path, without trailing slashes. */
export const splitPath = (path: string): string[] =>
  path === '/'
    ? []
    : path
        .slice(1)
        .replace(/(?<!\/)\/+$/, '')
        .split('/')
        .map(decodeSegment);

/** The language in an address's `lang`; English where it is missing or unknown. */
export function readLanguage(query: URLSearchParams): { language: HeadLanguage; hasLangParameter: boolean } {
  const requested = languages.find(({ code }) => code === query.get('lang')?.toLowerCase());
  return { language: requested ?? languages[0], hasLangParameter: requested !== undefined };
}

/**
 * A page that search engines must not index: for example, it requires a sign-in, or is a step of a
 * process.
 */
export const createUnlistedHead = (name: string | undefined, status: 200 | 404 = 200): PageHead => ({
  status,
  name,
  description: '',
});

export const createNotFoundHead = ({ context }: HeadRequest): PageHead =>
  createUnlistedHead(context.language.words.wrongTurn, 404);
