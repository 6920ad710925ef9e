import { fetchMedia } from './fetch-media.ts';
import type { FoliateBook } from './foliate-book.ts';
import { usingAddress, type Renewable } from './renewable.ts';

type PageFacts = {
  /** Of the book, for pages that do not say theirs. */
  language: string;
  /** What a screen reader calls the page's iframe. */
  title: string;
};

/** Gives a page what its book left out: language, direction, and a name of its iframe. */
export const preparePage = (doc: Document, { language, title }: PageFacts): void => {
  const root = doc.documentElement;
  if (language !== '' && root.getAttribute('lang') === null && root.getAttribute('xml:lang') === null) {
    root.setAttribute('lang', language);
  }
  if (root.getAttribute('dir') === null && directionOf(language) === 'rtl') root.setAttribute('dir', 'rtl');
  doc.defaultView?.frameElement?.setAttribute('title', title);
};

const rightToLeft = /^(ar|dv|fa|he|ps|sd|ug|ur|yi)\b/i;

const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.test(language) ? 'rtl' : 'ltr');

type LinkContext = {
  /** An absolute address as one relative to the book, or null when it leads out of it. */
  relative: (address: string) => string | null;
  goTo: (href: string) => void;
  signal: AbortSignal;
};

/** Links lead on within the book; out of it they open beside the shop, which the other page can neither see nor steer. */
export const followLinks = (doc: Document, { relative, goTo, signal }: LinkContext): void => {
  const follow = (press: MouseEvent) => {
    const link = linkOf(press);
    if (link === null || press.button === SECONDARY_BUTTON) return;
    press.preventDefault();
    const address = addressOf(link, doc.URL);
    if (address === null) return;
    const inside = relative(address.href);
    if (inside !== null) goTo(inside);
    else if (/^(https?|mailto):$/.test(address.protocol)) open(address.href, '_blank', 'noopener,noreferrer');
  };
  doc.addEventListener('click', follow, { capture: true, signal });
  // The middle button would open an address that only the book knows.
  doc.addEventListener('auxclick', follow, { capture: true, signal });
  keepInPlace(doc, signal);
};

/**
 * Keeps the page when a link in a closed shadow root is pressed, which the listeners cannot see;
 * only browsers with the Navigation API can.
 */
const keepInPlace = (doc: Document, signal: AbortSignal): void => {
  const navigation = doc.defaultView?.navigation as Navigation | undefined;
  navigation?.addEventListener('navigate', (leaving) => leaving.preventDefault(), { signal });
};

const SECONDARY_BUTTON = 2;

/** Elements that lead somewhere when they are pressed; in formulas that may be any. */
const LINKS = 'a, area, math[*|href], math [*|href]';

const linkOf = (press: MouseEvent): Element | null => {
  const isLink = (target: EventTarget): target is Element => 'matches' in target && (target as Element).matches(LINKS);
  return press.composedPath().find(isLink) ?? null;
};

const addressOf = (link: Element, from: string): URL | null => {
  const href = link.getAttribute('href') ?? link.getAttributeNS('http://www.w3.org/1999/xlink', 'href');
  return href === null ? null : URL.parse(href, from);
};

/** What a page asks for long after it has come, as a picture further on, is got at an address that still opens. */
export const renewResources = (doc: Document, book: FoliateBook, address: Renewable<string>, signal: AbortSignal): void => {
  const renew = async (element: HTMLImageElement | HTMLMediaElement) => {
    const inside = book.relative(element.src);
    if (inside === null) return;
    await usingAddress(address, () => fetchMedia(book.absolute(inside), signal, 'HEAD'));
    const fresh = book.absolute(inside);
    if (element.src !== fresh) element.src = fresh;
  };
  doc.addEventListener(
    'error',
    ({ target }) => {
      if (target === null || !('localName' in target) || !/^(img|audio|video)$/.test(String(target.localName))) return;
      // What is missing stays missing.
      renew(target as HTMLImageElement | HTMLMediaElement).catch(() => undefined);
    },
    { capture: true, signal },
  );
};
