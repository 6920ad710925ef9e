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
  setting: HeadContext;
  spoken: StoreLanguage;
  /** the path's segments, decoded; invalid ones stay as they are */
  parts: string[];
  /** name of the page in the registry of flows, in the requested language */
  name?: string | undefined;
};

const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
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
        .map(decodePart);

/** The language in an address's `lang`; English where it is missing or unknown. */
export function readLanguage(query: URLSearchParams): { language: HeadLanguage; asked: boolean } {
  const asked = languages.find(({ code }) => code === query.get('lang')?.toLowerCase());
  return { language: asked ?? languages[0], asked: asked !== undefined };
}

/** A page that search engines must not index: it requires a sign-in, or is a step of a process. */
export const unlistedHead = (name: string | undefined, status: 200 | 404 = 200): PageHead => ({ status, name, description: '' });

export const notFoundHead = ({ setting }: HeadRequest): PageHead => unlistedHead(setting.language.words.wrongTurn, 404);
