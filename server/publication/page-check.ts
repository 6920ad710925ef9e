import { SaxesParser } from 'saxes';
import { MAX_DEPTH } from './xml-tree.ts';

/** Properties of a book's page that decide how it is sent. */
export type PageCheck = {
  /** Whether a browser's XML parser would read the page to its end. */
  wellFormed: boolean;
  /**
   * Whether the page may navigate away by itself (`<meta http-equiv="refresh">`): any `http-equiv`
   * counts, except the content type; true for a broken page, since its elements are unknown.
   */
  mayNavigate: boolean;
};

class Fault extends Error {}

const XML_ENTITIES = ['amp', 'lt', 'gt', 'quot', 'apos'];
const DOCTYPE = /^\s+[\w:.-]+(?:\s+(?:(PUBLIC)\s+(?:"[^"]*"|'[^']*')|SYSTEM)\s+(?:"[^"]*"|'[^']*'))?\s*(?:\[(.*)\]\s*)?$/s;
/**
 * A plain text entity; longer ones could make a page grow without limit when expanded repeatedly.
 */
const TEXT_ENTITY = /<!ENTITY\s+([\w.-]+)\s+(?:"([^"<&%]{0,1000})"|'([^'<&%]{0,1000})')\s*>/g;

/**
 * Checks whether a page is well-formed, as a browser's XML parser would. Two other pages count as
 * broken: one that is nested deeper than `MAX_DEPTH`, since each level slows the lookup of
 * namespaces and browsers flatten deep nesting in HTML only; and one whose document type or style
 * sheet may add elements or attributes that are not visible here.
 */
export function checkPage(source: string): PageCheck {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let knowsHtmlEntities = false;
  let depth = 0;
  let mayNavigate = false;
  parser.on('error', ({ message }) => {
    if (!(knowsHtmlEntities && message.includes('undefined entity'))) throw new Fault(message);
  });
  parser.on('doctype', (doctype) => {
    const { isPublic, entities } = readDoctype(doctype);
    // With a public identifier in the document type, browsers know HTML's entities; without it,
    // these break the page.
    knowsHtmlEntities = isPublic;
    Object.assign(parser.ENTITIES, entities);
  });
  parser.on('processinginstruction', ({ target, body }) => {
    if (target === 'xml-stylesheet' && !isPlainStyle(body)) throw new Fault('a style sheet that may add elements');
  });
  parser.on('opentag', ({ attributes }) => {
    if (++depth > MAX_DEPTH) throw new Fault('nested too deeply');
    const httpEquiv = attributes['http-equiv']?.value;
    if (httpEquiv !== undefined && httpEquiv.trim().toLowerCase() !== 'content-type') mayNavigate = true;
  });
  parser.on('closetag', () => void depth--);
  try {
    parser.write(source).close();
    return { wellFormed: true, mayNavigate };
  } catch (error) {
    // A RangeError means that the text exceeds the maximum length of a string.
    if (error instanceof Fault || error instanceof RangeError) return { wellFormed: false, mayNavigate: true };
    throw error;
  }
}

/**
 * Whether the instruction of a style sheet declares CSS: other types can generate a page of their
 * own.
 */
function isPlainStyle(instruction: string): boolean {
  let isCss = false;
  const otherText = instruction.replaceAll(
    /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
    (_, name: string, value?: string, text = value) => {
      if (name === 'type') isCss = text === 'text/css';
      return '';
    },
  );
  return isCss && otherText.trim() === '';
}

/**
 * Allows only plain text entities in a document type's own declarations, as drawing programs write:
 * other entities may expand to whole elements, and attribute declarations may add attributes that
 * no element shows.
 */
function readDoctype(doctype: string): { isPublic: boolean; entities: Record<string, string> } {
  const parts = DOCTYPE.exec(doctype);
  if (parts === null) throw new Fault('a document type in an unknown form');
  const [, isPublic, declarations = ''] = parts;
  const entities: Record<string, string> = {};
  const otherDeclarations = declarations.replaceAll(TEXT_ENTITY, (_, name: string, quoted?: string, text = quoted) => {
    // The first declaration of an entity counts, and XML's own cannot be redefined.
    if (!XML_ENTITIES.includes(name)) entities[name] ??= text ?? '';
    return '';
  });
  if (otherDeclarations.trim() !== '') throw new Fault('declarations in the document type that may add elements or attributes');
  return { isPublic: isPublic !== undefined, entities };
}
