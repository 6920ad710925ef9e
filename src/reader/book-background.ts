/** An address as browsers write it in a computed value. */
const ADDRESS = /url\("((?:[^"\\]|\\.)*)"\)|url\(([^"'()\\\s]*)\)/g;
const PLAIN_COLOR = /^\s*(#[\da-f]+|[a-z]+)\s*$/i;

const isInMemory = (address: string): boolean => /^(blob|data):/i.test(address);

/**
 * Keeps addresses elsewhere out of a page's background: the renderer copies it into the shop's own
 * document, where no policy of the book holds.
 * @param isOwn whether an address is of the book's own files
 */
export const containBackground = (doc: Document, isOwn: (address: string) => boolean): void => {
  const view = doc.defaultView;
  if (view === null) return;
  const keeps = (address: string) => isInMemory(address) || isOwn(address);
  const contained = ({ background, backgroundColor }: CSSStyleDeclaration): string => {
    const kept = background.replace(ADDRESS, (whole, quoted?: string, bare?: string) =>
      keeps(quoted ?? bare ?? '') ? whole : 'none',
    );
    // Addresses that are written in another way would be left over.
    return /url\(|src\(|["']/i.test(kept.replace(ADDRESS, '')) ? backgroundColor : kept;
  };
  const read = view.getComputedStyle.bind(view);
  // The renderer reads computed values through the page's own window, and nothing else does.
  view.getComputedStyle = (element, pseudoElement) => {
    const style = read(element, pseudoElement);
    return new Proxy({} as CSSStyleDeclaration, {
      get: (_, name) => {
        if (name === 'background') return contained(style);
        if (name === 'getPropertyValue') return (property: string) => propertyOf(style, property);
        return Reflect.get(style, name, style) as unknown;
      },
    });
  };
};

/** A page could hold an address in the custom property from which the renderer takes a colour. */
const propertyOf = (style: CSSStyleDeclaration, property: string): string => {
  const value = style.getPropertyValue(property);
  return !property.startsWith('--') || PLAIN_COLOR.test(value) ? value : '';
};
