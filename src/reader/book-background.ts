/** An address in the form of computed values. */
const ADDRESS = /url\("((?:[^"\\]|\\.)*)"\)|url\(([^"'()\\\s]*)\)/g;
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
  const keeps = (address: string) => isInMemory(address) || isOwn(address);
  const contained = ({ background, backgroundColor }: CSSStyleDeclaration): string => {
    const kept = background.replace(ADDRESS, (whole, quoted?: string, bare?: string) =>
      keeps(quoted ?? bare ?? '') ? whole : 'none',
    );
    // Addresses in another notation would remain.
    return /url\(|src\(|["']/i.test(kept.replace(ADDRESS, '')) ? backgroundColor : kept;
  };
  const read = view.getComputedStyle.bind(view);
  // Only the renderer reads computed values through the page's own window.
  view.getComputedStyle = (element, pseudoElement) => {
    const style = read(element, pseudoElement);
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_, name) => {
        if (name === 'background') return contained(style);
        if (name === 'getPropertyValue') return (property: string) => getSafeProperty(style, property);
        return Reflect.get(style, name, style) as unknown;
      },
    });
  };
};

/** The custom property that the renderer takes a colour from could contain an address. */
const getSafeProperty = (style: CSSStyleDeclaration, property: string): string => {
  const value = style.getPropertyValue(property);
  return !property.startsWith('--') || PLAIN_COLOR.test(value) ? value : '';
};
