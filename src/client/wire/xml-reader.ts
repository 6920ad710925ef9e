import { SaxesParser } from 'saxes';
import { chunksOf } from './body.ts';
import { readJson } from './json-node.ts';
import { malformed, raise } from './problem.ts';
import { deepestElement, isField, isJson, localName, mostElements, type XmlNode } from './xml-node.ts';

export type XmlReading = {
  /** What the root of a JSON answer, which has no name, is called. */
  root?: string | undefined;
  /** Name of the list's items, which are handed out as they arrive and are not kept. */
  item?: string | undefined;
  onItem?: ((node: XmlNode) => void) | undefined;
  /** Called with the root and its attributes before its children. */
  onRoot?: ((node: XmlNode) => void) | undefined;
  /** Hears each time a piece of the answer has been read; the next one waits for it. */
  onChunk?: (() => Promise<void>) | undefined;
};

/** Bytes of an answer whose items are not kept. */
const largestStream = 64 * 1024 * 1024;

/** Characters that are parsed at once. The network may deliver megabytes at once, and parsing them would block the page. */
const longestPiece = 32 * 1024;

/** A list is the root, or stands right below it. What is named as an item inside one is a field of it. */
const isItem = (node: XmlNode, above: XmlNode[], item?: string): boolean =>
  node.name === item && above.length <= 2 && !above.some(({ name }) => name === item);

/**
 * Builds nodes out of the parser's events. The parser knows only the five entities of XML itself and never reads the
 * ones that a document declares, so nothing in a document can grow.
 */
const builder = (call: string, { item, onItem, onRoot }: XmlReading) => {
  const open: XmlNode[] = [];
  let root: XmlNode | null = null;
  let elements = 0;
  const parser = new SaxesParser({ xmlns: false, position: false });

  parser.on('error', (error) => raise(malformed(call, '', error.message.slice(0, 200))));
  parser.on('opentag', (tag) => {
    elements += 1;
    if (open.length >= deepestElement || elements > mostElements) raise(malformed(call, '', 'the document is too large'));
    const attributes = Object.entries(tag.attributes).filter(([name]) => isField(name));
    const children = attributes.map(([name, value]) => ({ name: localName(name), text: value, children: [] }));
    open.push({ name: localName(tag.name), text: '', children });
    if (open.length === 1 && open[0]) onRoot?.(open[0]);
  });
  const addText = (text: string) => {
    const node = open.at(-1);
    if (node) node.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const node = open.pop();
    if (!node) return;
    // A 401 anywhere in a body ends the session (specification section 6).
    if (node.name === 'statuscode' && node.text.trim() === '401') raise({ kind: 'unauthorized' });
    const parent = open.at(-1);
    if (!parent) root = node;
    else if (onItem && isItem(node, open, item)) {
      // What is handed out takes no room.
      elements = 1;
      onItem(node);
    } else parent.children.push(node);
  });
  return { parser, root: () => root };
};

/** Hands out the items of a list that is here whole. */
const handOut = (root: XmlNode, { item, onItem, onRoot }: XmlReading): XmlNode => {
  onRoot?.(root);
  const lists = root.children.some(({ name }) => name === item) ? [root] : root.children;
  for (const node of lists.flatMap(({ children }) => children)) if (node.name === item) onItem?.(node);
  return { ...root, children: root.children.filter(({ name }) => name !== item) };
};

/**
 * Reads an XML answer as it arrives; a JSON one is read when it is here.
 * @returns the root element, without the items that were handed out.
 * @throws Problem `malformed` with an empty field when the document is broken, `unauthorized` when it says 401.
 */
export const readXml = async (call: string, response: Response, reading: XmlReading = {}): Promise<XmlNode> => {
  const { parser, root } = builder(call, reading);
  let started = false;
  let json: string | null = null;
  for await (const chunk of chunksOf(call, response, reading.onItem && largestStream)) {
    // Space before the declaration is an error to XML and a habit of servers.
    const text: string = started ? chunk : chunk.replace(/^\s+/, '');
    if (!started && isJson(text)) json = '';
    started ||= text !== '';
    if (json !== null) {
      json += text;
      continue;
    }
    for (let at = 0; at < text.length; at += longestPiece) {
      parser.write(text.slice(at, at + longestPiece));
      await reading.onChunk?.();
    }
  }
  if (json !== null) return handOut(readJson(call, json, response.status, reading.root ?? ''), reading);
  parser.close();
  return root() ?? raise(malformed(call, '', 'the answer is empty'));
};
