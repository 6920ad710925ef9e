/**
 * Ids that React generates. They differ between server and browser: only which elements share an id
 * must be equal.
 */
const generatedId = /_[rR]_\w+?_/g;

const numberIds = (markup: string): string => {
  const names = new Map<string, string>();
  return markup.replaceAll(generatedId, (id) => {
    const name = names.get(id) ?? `id-${names.size + 1}`;
    names.set(id, name);
    return name;
  });
};

/** The style as the browser has parsed it, without a grid's row height, which browsers measure. */
const serializeStyle = ({ style }: HTMLElement | SVGElement): string =>
  [...style]
    .filter((name) => name !== '--row')
    .map((name) => `${name}: ${style.getPropertyValue(name)}`)
    .join('; ');

const hasStyle = (element: Element): element is HTMLElement | SVGElement => element.hasAttribute('style') && 'style' in element;

const serializeAttributes = (element: Element): string => {
  const values = new Map(Array.from(element.attributes, ({ name, value }) => [name, value]));
  if (hasStyle(element)) values.set('style', serializeStyle(element));
  // A browser's React sets the chosen options on the elements only, not in the markup.
  values.delete('selected');
  if (element instanceof HTMLOptionElement && element.selected) values.set('selected', '');
  const attributes = Array.from(values, ([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return attributes.toSorted().join('');
};

/**
 * A node's markup without comments, with which React marks the boundaries of parts that it hydrates
 * separately and separates adjacent texts.
 */
const serializeNode = (node: Node): string => {
  if (node instanceof Text) return node.data.replaceAll('<', '&lt;');
  if (!(node instanceof Element)) return '';
  return `<${node.localName}${serializeAttributes(node)}>${serializeChildren(node)}</${node.localName}>`;
};

const serializeChildren = (element: Element): string => Array.from(element.childNodes, serializeNode).join('');

/** An element's markup, without parts that differ between server and browser rendering. */
export const toComparable = (element: Element): string => numberIds(serializeChildren(element));
