import { SaxesParser } from 'saxes';
import { decodeText, deepest } from './xml-tree.ts';

/** What a page of a book is like, for those who send it. */
export type PageCheck = {
  /** Whether a browser's XML parser would read the page to its end. */
  wellFormed: boolean;
  /** Whether it may send its reader elsewhere by itself (`<meta http-equiv="refresh">`); of a broken page nobody knows. */
  mayNavigate: boolean;
};

// With this document type a browser knows HTML's entities, without it they break the page.
const KNOWS_ENTITIES = /<!DOCTYPE\s+html\s+PUBLIC/i;

class Fault extends Error {}

/**
 * Reads a page as a browser's XML parser would. A page that is nested absurdly deep is taken for broken: looking up the
 * names of its elements takes time with each level, and only as HTML do browsers flatten it.
 */
export function checkPage(page: Uint8Array): PageCheck {
  const source = decodeText(page);
  const lenient = KNOWS_ENTITIES.test(source.slice(0, 2000));
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  let mayNavigate = false;
  parser.on('error', ({ message }) => {
    if (!(lenient && message.includes('undefined entity'))) throw new Fault(message);
  });
  parser.on('opentag', ({ attributes }) => {
    if (++depth > deepest) throw new Fault('nested too deeply');
    const said = attributes['http-equiv']?.value;
    if (said !== undefined && said.trim().toLowerCase() !== 'content-type') mayNavigate = true;
  });
  parser.on('closetag', () => void depth--);
  try {
    parser.write(source).close();
    return { wellFormed: true, mayNavigate };
  } catch (error) {
    if (error instanceof Fault) return { wellFormed: false, mayNavigate: true };
    throw error;
  }
}

/** In every encoding that writes Latin letters as ASCII does, with or without a zero beside each. */
const HTTP_EQUIV = /h(\0?)t(\0?)t(\0?)p(?=\0?-\0?e\0?q\0?u\0?i\0?v(?!\s*=\s*["']?\s*content-type))/gi;

/** The page without what makes a browser go elsewhere, of the same length: `http-equiv` becomes `data-equiv`. */
export function staying(page: Buffer): Buffer {
  const text = page.toString('latin1');
  const calm = text.replaceAll(HTTP_EQUIV, 'd$1a$2t$3a');
  return calm === text ? page : Buffer.from(calm, 'latin1');
}
