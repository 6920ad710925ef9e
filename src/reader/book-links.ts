type LinkContext = {
  /** An absolute address as one relative to the book, or null when it leads out of it. */
  relative: (address: string) => string | null;
  goTo: (href: string) => void;
  signal: AbortSignal;
};

/** Links lead on within the book; out of it they open beside the shop, which the other page can neither see nor steer. */
export const followLinks = (doc: Document, { relative, goTo, signal }: LinkContext): void => {
  doc.addEventListener(
    'click',
    (press) => {
      const link = linkOf(press);
      if (link === null) return;
      press.preventDefault();
      const address = addressOf(link, doc.URL);
      if (address === null) return;
      const inside = relative(address.href);
      if (inside !== null) goTo(inside);
      else if (/^(https?|mailto):$/.test(address.protocol)) open(address.href, '_blank', 'noopener,noreferrer');
    },
    { capture: true, signal },
  );
};

const linkOf = (press: MouseEvent): Element | null => {
  const element = press.composedPath()[0];
  return element !== undefined && 'closest' in element ? (element as Element).closest('a') : null;
};

const addressOf = (link: Element, from: string): URL | null => {
  const href = link.getAttribute('href') ?? link.getAttributeNS('http://www.w3.org/1999/xlink', 'href');
  return href === null ? null : URL.parse(href, from);
};
