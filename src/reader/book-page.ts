import { fetchMedia } from './fetch-media.ts';
import type { FoliateBook } from './foliate-book.ts';
import { withRenewedAddress, type Renewable } from './renewable.ts';

type PageFacts = {
  /** The book's language, for pages that do not declare theirs. */
  language: string;
  /** Accessible name of the page's iframe. */
  title: string;
};

/** Adds missing attributes to a page: language, direction, and its iframe's accessible name. */
export const preparePage = (doc: Document, { language, title }: PageFacts): void => {
  const root = doc.documentElement;
  if (language !== '' && root.getAttribute('lang') === null && root.getAttribute('xml:lang') === null) {
    root.setAttribute('lang', language);
  }
  if (root.getAttribute('dir') === null && getDirection(language) === 'rtl') root.setAttribute('dir', 'rtl');
  doc.defaultView?.frameElement?.setAttribute('title', title);
};

const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/i;

const getDirection = (language: string): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr');

type LinkContext = {
  /** Converts an absolute address to one relative to the book; null for any other address. */
  toRelative: (address: string) => string | null;
  goTo: (href: string) => void;
  signal: AbortSignal;
};

/** Follows links: within the book to their page, external ones in a new tab, without an opener. */
export const followLinks = (doc: Document, { toRelative, goTo, signal }: LinkContext): void => {
  const follow = (press: MouseEvent) => {
    const link = findLink(press);
    if (link === null || press.button === SECONDARY_BUTTON) return;
    press.preventDefault();
    const address = parseLinkAddress(link, doc.URL);
    if (address === null) return;
    const relativeAddress = toRelative(address.href);
    if (relativeAddress !== null) goTo(relativeAddress);
    else if (/^(https?|mailto):$/.test(address.protocol)) open(address.href, '_blank', 'noopener,noreferrer');
  };
  doc.addEventListener('click', follow, { capture: true, signal });
  // The middle button would open an address that is valid only within the book.
  doc.addEventListener('auxclick', follow, { capture: true, signal });
  preventNavigation(doc, signal);
};

/**
 * Prevents navigation by a link in a closed shadow root, which the listeners cannot see; only
 * possible in browsers with the Navigation API.
 */
const preventNavigation = (doc: Document, signal: AbortSignal): void => {
  const navigation = doc.defaultView?.navigation as Navigation | undefined;
  navigation?.addEventListener('navigate', (event) => event.preventDefault(), { signal });
};

const SECONDARY_BUTTON = 2;

/** Elements that navigate when they are pressed; in formulas any element may. */
const LINKS = 'a, area, math[*|href], math [*|href]';

const findLink = (press: MouseEvent): Element | null => {
  const isLink = (target: EventTarget): target is Element => 'matches' in target && (target as Element).matches(LINKS);
  return press.composedPath().find(isLink) ?? null;
};

const parseLinkAddress = (link: Element, from: string): URL | null => {
  const href = link.getAttribute('href') ?? link.getAttributeNS('http://www.w3.org/1999/xlink', 'href');
  return href === null ? null : URL.parse(href, from);
};

/**
 * Reloads resources that failed since the page's address has expired, such as pictures that load
 * lazily, from the current address.
 */
export const renewResources = (doc: Document, book: FoliateBook, address: Renewable<string>, signal: AbortSignal): void => {
  const renew = async (element: HTMLImageElement | HTMLMediaElement) => {
    const relativeAddress = book.toRelative(element.src);
    if (relativeAddress === null) return;
    await withRenewedAddress(address, () => fetchMedia(book.toAbsolute(relativeAddress), signal, 'HEAD'));
    const currentAddress = book.toAbsolute(relativeAddress);
    if (element.src !== currentAddress) element.src = currentAddress;
  };
  doc.addEventListener(
    'error',
    ({ target }) => {
      if (target === null || !('localName' in target) || !/^(img|audio|video)$/.test(String(target.localName))) return;
      // A missing resource stays missing.
      renew(target as HTMLImageElement | HTMLMediaElement).catch(() => undefined);
    },
    { capture: true, signal },
  );
};
