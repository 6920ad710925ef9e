import { SaxesParser } from 'saxes';

/** A request document was refused; the message is a sentence for readers. */
export class BadDocument extends Error {}

type JsonSchema = {
  type?: string | string[];
  xml?: { name?: string; wrapped?: boolean };
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
};

type Node = { name: string; text: string; children: Node[] };

const MAX_DEPTH = 16;

function parse(text: string): Node {
  const parser = new SaxesParser();
  const stack: Node[] = [];
  let root: Node | undefined;
  parser.on('error', (error) => {
    throw new BadDocument(`The document is not well-formed XML: ${error.message.split('\n')[0]}`);
  });
  parser.on('doctype', () => {
    throw new BadDocument('The document must not have a DOCTYPE.');
  });
  parser.on('opentag', (tag) => {
    if (stack.length >= MAX_DEPTH) throw new BadDocument(`The document has more than ${MAX_DEPTH} levels.`);
    const node: Node = { name: tag.name, text: '', children: [] };
    for (const [name, value] of Object.entries(tag.attributes)) node.children.push({ name, text: value, children: [] });
    stack.at(-1)?.children.push(node);
    root ??= node;
    stack.push(node);
  });
  const addText = (piece: string) => {
    const top = stack.at(-1);
    if (top) top.text += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    stack.pop();
  });
  parser.write(text).close();
  if (!root) throw new BadDocument('The document is empty.');
  return root;
}

const equalsIgnoringCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

function toValue(node: Node, schema: JsonSchema): unknown {
  if (schema.type === 'array') return node.children.map((child) => toValue(child, schema.items ?? {}));
  if (!schema.properties) return node.text.trim();
  const value: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    if (property.type === 'array' && !property.xml?.wrapped) {
      const items = node.children.filter((child) => equalsIgnoringCase(child.name, property.items?.xml?.name ?? name));
      // An empty list has no element in XML.
      value[name] = items.map((item) => toValue(item, property.items ?? {}));
      continue;
    }
    const child = node.children.find((each) => equalsIgnoringCase(each.name, name));
    if (child) value[name] = toValue(child, property);
  }
  return value;
}

/**
 * Converts a request document into the object that its schema describes. Names are matched in any
 * case, as attributes or children. Text stays text: validation converts it to numbers and booleans.
 * @throws BadDocument when it is empty or not well-formed, or has a DOCTYPE, too many levels or
 * another root element
 */
export function readXml(text: string, schema: JsonSchema): unknown {
  const root = parse(text);
  const expected = schema.xml?.name;
  if (expected && !equalsIgnoringCase(root.name, expected))
    throw new BadDocument(`The document's root must be ${expected}, not ${root.name.slice(0, 64)}.`);
  return toValue(root, schema);
}
