import { SaxesParser } from 'saxes';
import { readChunks } from './body.ts';
import { parseJsonNode } from './json-node.ts';
import { malformedProblem, throwProblem } from './problem.ts';
import { maxElementDepth, isField, isJson, toLocalName, maxElements, type XmlNode } from './xml-node.ts';

export type XmlStreamOptions = {
  /** Name for the root of a JSON answer, which has none. */
  root?: string | undefined;
  /** Name of the list's items, which are passed to `onItem` as they arrive and are not kept. */
  item?: string | undefined;
  onItem?: ((node: XmlNode) => void) | undefined;
  /** Called with the root and its attributes before its children. */
  onRoot?: ((node: XmlNode) => void) | undefined;
  /** Called after each piece of the answer has been parsed; the next piece waits for it. */
  onChunk?: (() => Promise<void>) | undefined;
};

/** Maximum bytes of an answer whose items are not kept. */
const maxStreamBytes = 64 * 1024 * 1024;

/**
 * Maximum characters parsed at once. The network may deliver megabytes at once, and parsing them
 * would block the page.
 */
const maxPieceChars = 32 * 1024;

/**
 * Whether an element is an item of the list, which is the root or a child of the root. An element
 * with the item's name inside an item is a field of that item.
 */
const isItem = (node: XmlNode, ancestors: XmlNode[], item?: string): boolean =>
  node.name === item && ancestors.length <= 2 && !ancestors.some(({ name }) => name === item);

/**
 * Builds nodes from the parser's events. The parser knows only the five entities of XML itself and
 * never expands declared ones, so a document cannot grow ("billion laughs").
 */
const createNodeBuilder = (call: string, { item, onItem, onRoot }: XmlStreamOptions) => {
  const openNodes: XmlNode[] = [];
  let root: XmlNode | null = null;
  let elements = 0;
  const parser = new SaxesParser({ xmlns: false, position: false });

  parser.on('error', (error) => throwProblem(malformedProblem(call, '', error.message.slice(0, 200))));
  parser.on('opentag', (tag) => {
    elements += 1;
    if (openNodes.length >= maxElementDepth) throwProblem(malformedProblem(call, '', 'the document is nested too deeply'));
    if (elements > maxElements) throwProblem(malformedProblem(call, '', 'the document is too large'));
    const attributes = Object.entries(tag.attributes).filter(([name]) => isField(name));
    const children = attributes.map(([name, value]) => ({ name: toLocalName(name), text: value, children: [] }));
    openNodes.push({ name: toLocalName(tag.name), text: '', children });
    if (openNodes.length === 1 && openNodes[0]) onRoot?.(openNodes[0]);
  });
  const addText = (text: string) => {
    const node = openNodes.at(-1);
    if (node) node.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const node = openNodes.pop();
    if (!node) return;
    // A 401 anywhere in a body ends the session (specification section 6).
    if (node.name === 'statuscode' && node.text.trim() === '401') throwProblem({ kind: 'unauthorized' });
    const parent = openNodes.at(-1);
    if (!parent) root = node;
    else if (onItem && isItem(node, openNodes, item)) {
      // Emitted items are not kept, so they do not count against the limit.
      elements = 1;
      onItem(node);
    } else parent.children.push(node);
  });
  return { parser, root: () => root };
};

/** Emits the items of a list that has been parsed as a whole. */
const emitItems = (root: XmlNode, { item, onItem, onRoot }: XmlStreamOptions): XmlNode => {
  onRoot?.(root);
  const lists = root.children.some(({ name }) => name === item) ? [root] : root.children;
  for (const node of lists.flatMap(({ children }) => children)) if (node.name === item) onItem?.(node);
  return { ...root, children: root.children.filter(({ name }) => name !== item) };
};

/**
 * Parses an XML answer while it arrives; a JSON one once it is complete.
 * @returns the root element, without the emitted items.
 * @throws Problem `malformed` with an empty field when the document is broken, `unauthorized` when
 * it contains a 401.
 */
export const readXml = async (call: string, response: Response, options: XmlStreamOptions = {}): Promise<XmlNode> => {
  const { parser, root } = createNodeBuilder(call, options);
  let hasStarted = false;
  let json: string | null = null;
  for await (const chunk of readChunks(call, response, options.onItem && maxStreamBytes)) {
    // XML forbids whitespace before the declaration, but servers send it.
    const text: string = hasStarted ? chunk : chunk.replace(/^\s+/, '');
    if (!hasStarted && isJson(text)) json = '';
    hasStarted ||= text !== '';
    if (json !== null) {
      json += text;
      continue;
    }
    for (let offset = 0; offset < text.length; offset += maxPieceChars) {
      parser.write(text.slice(offset, offset + maxPieceChars));
      await options.onChunk?.();
    }
  }
  if (json !== null) return emitItems(parseJsonNode(call, json, response.status, options.root ?? ''), options);
  parser.close();
  return root() ?? throwProblem(malformedProblem(call, '', 'the answer is empty'));
};
