import type { Configuration } from '../../api/store/properties.ts';
import type { Spoken } from '../../base/language.ts';
import type { Store } from '../../stores/stores.ts';
import type { Services } from '../../services.ts';
import { type Language, languages } from './words.ts';
import type { PageHead, Setting } from './page-head.ts';

/** An address of the shop that somebody asked for, and what is known of the store. */
export type HeadRequest = {
  services: Pick<Services, 'db' | 'cache'>;
  store: Store;
  record: Configuration['record'];
  setting: Setting;
  spoken: Spoken;
  /** the path's parts, decoded; what cannot be decoded stays as it is */
  parts: string[];
  /** what the registry of flows calls the page, in the language that was asked for */
  name?: string | undefined;
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The parts of a path; slashes at its end do not count. */
export const partsOf = (path: string): string[] =>
  path === '/'
    ? []
    : path
        .slice(1)
        .replace(/(?<!\/)\/+$/, '')
        .split('/')
        .map(decoded);

/** The language that an address asks for with `lang`; English where it asks for none that there is. */
export function languageOf(query: URLSearchParams): { language: Language; asked: boolean } {
  const asked = languages.find(({ code }) => code === query.get('lang')?.toLowerCase());
  return { language: asked ?? languages[0], asked: asked !== undefined };
}

/** A page that search engines must not index: behind a sign-in, or a step of a process. */
export const unlistedHead = (name: string | undefined, status: 200 | 404 = 200): PageHead => ({ status, name, description: '' });

export const notFoundHead = ({ setting }: HeadRequest): PageHead => unlistedHead(setting.language.words.wrongTurn, 404);
