import { SaxesParser } from 'saxes';
import { decodeText, deepest } from './xml-tree.ts';

// With this document type a browser knows HTML's entities, without it they break the page.
const KNOWS_ENTITIES = /<!DOCTYPE\s+html\s+PUBLIC/i;

class Fault extends Error {}

/**
 * Whether a browser's XML parser would read the page to its end. A page that is nested absurdly deep is taken for broken:
 * looking up the names of its elements takes time with each level, and only as HTML do browsers flatten it.
 */
export function isWellFormed(page: Uint8Array): boolean {
  const source = decodeText(page);
  const lenient = KNOWS_ENTITIES.test(source.slice(0, 2000));
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  parser.on('error', ({ message }) => {
    if (!(lenient && message.includes('undefined entity'))) throw new Fault(message);
  });
  parser.on('opentagstart', () => {
    if (++depth > deepest) throw new Fault('nested too deeply');
  });
  parser.on('closetag', () => void depth--);
  try {
    parser.write(source).close();
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
