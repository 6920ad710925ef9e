/** An address in a computed CSS value, with or without quotes. */
const CSS_URL = /url\("((?:[^"\\]|\\.)*)"\)|url\(([^"'()\\\s]*)\)/g;
const PLAIN_COLOR = /^\s*(#[\da-f]+|[a-z]+)\s*$/i;

const isInMemory = (address: string): boolean => /^(blob|data):/i.test(address);

/**
 * Removes external addresses from a page's background: the renderer copies it into the shop's own
 * document, where the book's policy does not apply.
 * @param isOwn whether an address is one of the book's files
 */
export const containBackground = (doc: Document, isOwn: (address: string) => boolean): void => {
  const view = doc.defaultView;
  if (view === null) return;
  const isAllowed = (address: string) => isInMemory(address) || isOwn(address);
  const getSafeBackground = ({ background, backgroundColor }: CSSStyleDeclaration): string => {
    const safeBackground = background.replace(CSS_URL, (match, quoted?: string, bare?: string) =>
      isAllowed(quoted ?? bare ?? '') ? match : 'none',
    );
    // Addresses in another notation would remain.
    return /url\(|src\(|["']/i.test(safeBackground.replace(CSS_URL, '')) ? backgroundColor : safeBackground;
  };
  const getStyle = view.getComputedStyle.bind(view);
  // The renderer reads computed values through the page's own window.
  view.getComputedStyle = (element, pseudoElement) => {
    const style = getStyle(element, pseudoElement);
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_, name) => {
        if (name === 'background') return getSafeBackground(style);
        if (name === 'getPropertyValue') return (property: string) => getSafeProperty(style, property);
        return Reflect.get(style, name, style) as unknown;
      },
    });
  };
};

/**
 * A property's value; empty for a custom property that is no plain colour: the renderer takes a
 * colour from it, and it could contain an address.
 */
const getSafeProperty = (style: CSSStyleDeclaration, property: string): string => {
  const value = style.getPropertyValue(property);
  return !property.startsWith('--') || PLAIN_COLOR.test(value) ? value : '';
};
