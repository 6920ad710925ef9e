type PageFacts = {
  /** Of the book, for pages that do not say theirs. */
  language: string;
  /** What a screen reader calls the page's frame. */
  title: string;
};

/** Gives a page what its book left out: language, direction, and a name of its frame. */
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
