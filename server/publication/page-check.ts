import { SaxesParser } from 'saxes';
import { DEEPEST } from './xml-tree.ts';

/** What a page of a book is like, for those who send it. */
export type PageCheck = {
  /** Whether a browser's XML parser would read the page to its end. */
  wellFormed: boolean;
  /** Whether it may send its reader elsewhere by itself (`<meta http-equiv="refresh">`); of a broken page nobody knows. */
  mayNavigate: boolean;
};

class Fault extends Error {}

const XML_ENTITIES = ['amp', 'lt', 'gt', 'quot', 'apos'];
const DOCTYPE = /^\s+[\w:.-]+(?:\s+(?:(PUBLIC)\s+(?:"[^"]*"|'[^']*')|SYSTEM)\s+(?:"[^"]*"|'[^']*'))?\s*(?:\[(.*)\]\s*)?$/s;
/** Long ones would be a page that grows without end when they are put in again and again. */
const TEXT_ENTITY = /<!ENTITY\s+([\w.-]+)\s+(?:"([^"<&%]{0,1000})"|'([^'<&%]{0,1000})')\s*>/g;

/**
 * Reads a page as a browser's XML parser would. Taken for broken are also: a page that is nested absurdly deep, since
 * looking up the names of its elements takes time with each level, and only as HTML do browsers flatten it; and one whose
 * document type or style sheet may add elements or attributes that are not to be seen here.
 */
export function checkPage(source: string): PageCheck {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let lenient = false;
  let depth = 0;
  let mayNavigate = false;
  parser.on('error', ({ message }) => {
    if (!(lenient && message.includes('undefined entity'))) throw new Fault(message);
  });
  parser.on('doctype', (doctype) => {
    const { isPublic, entities } = readDoctype(doctype);
    // With such a document type a browser knows HTML's entities, without it they break the page.
    lenient = isPublic;
    Object.assign(parser.ENTITIES, entities);
  });
  parser.on('processinginstruction', ({ target, body }) => {
    if (target === 'xml-stylesheet' && !isPlainStyle(body)) throw new Fault('a style sheet that may add elements');
  });
  parser.on('opentag', ({ attributes }) => {
    if (++depth > DEEPEST) throw new Fault('nested too deeply');
    const said = attributes['http-equiv']?.value;
    if (said !== undefined && said.trim().toLowerCase() !== 'content-type') mayNavigate = true;
  });
  parser.on('closetag', () => void depth--);
  try {
    parser.write(source).close();
    return { wellFormed: true, mayNavigate };
  } catch (error) {
    // Text that outgrows what a string may hold is a RangeError.
    if (error instanceof Fault || error instanceof RangeError) return { wellFormed: false, mayNavigate: true };
    throw error;
  }
}

/** Whether a style sheet's instruction names CSS: others write a page of their own. */
function isPlainStyle(instruction: string): boolean {
  let css = false;
  const rest = instruction.replaceAll(
    /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g,
    (_, name: string, value?: string, text = value) => {
      if (name === 'type') css = text === 'text/css';
      return '';
    },
  );
  return css && rest.trim() === '';
}

/**
 * Of a document type's own declarations only entities that are plain text are let through, which drawing programs write:
 * others may be whole elements once a browser has put them in, and attributes may be declared that no element shows.
 */
function readDoctype(doctype: string): { isPublic: boolean; entities: Record<string, string> } {
  const parts = DOCTYPE.exec(doctype);
  if (parts === null) throw new Fault('a document type of an unknown form');
  const [, isPublic, declarations = ''] = parts;
  const entities: Record<string, string> = {};
  const others = declarations.replaceAll(TEXT_ENTITY, (_, name: string, quoted?: string, text = quoted) => {
    // Of several declarations the first one counts, and what XML itself declares cannot be changed.
    if (!XML_ENTITIES.includes(name)) entities[name] ??= text ?? '';
    return '';
  });
  if (others.trim() !== '') throw new Fault('declarations that may add elements or attributes');
  return { isPublic: isPublic !== undefined, entities };
}
