/** React on a server and React in a browser make up ids of their own; which elements share one is the same. */
const madeUp = /_[rR]_\w+?_/g;

const withIdsInOrder = (markup: string): string => {
  const names = new Map<string, string>();
  return markup.replaceAll(madeUp, (id) => {
    const name = names.get(id) ?? `id-${names.size + 1}`;
    names.set(id, name);
    return name;
  });
};

/** As the browser has understood it; how high the rows of a grid are is measured there. */
const styleOf = ({ style }: HTMLElement | SVGElement): string =>
  [...style]
    .filter((name) => name !== '--row')
    .map((name) => `${name}: ${style.getPropertyValue(name)}`)
    .join('; ');

const hasStyle = (element: Element): element is HTMLElement | SVGElement => element.hasAttribute('style') && 'style' in element;

const attributesOf = (element: Element): string => {
  const values = new Map(Array.from(element.attributes, ({ name, value }) => [name, value]));
  if (hasStyle(element)) values.set('style', styleOf(element));
  // Which options are chosen a browser's React tells the elements alone.
  values.delete('selected');
  if (element instanceof HTMLOptionElement && element.selected) values.set('selected', '');
  const written = Array.from(values, ([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return written.toSorted().join('');
};

/** Comments stand where parts begin and end that React hydrates apart, and between two texts. */
const markupOf = (node: Node): string => {
  if (node instanceof Text) return node.data.replaceAll('<', '&lt;');
  if (!(node instanceof Element)) return '';
  return `<${node.localName}${attributesOf(node)}>${contentOf(node)}</${node.localName}>`;
};

const contentOf = (element: Element): string => Array.from(element.childNodes, markupOf).join('');

/** The markup of what stands in an element, without what cannot be the same where a server and where a browser draws it. */
export const comparable = (element: Element): string => withIdsInOrder(contentOf(element));
