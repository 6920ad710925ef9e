import { SaxesParser } from 'saxes';
import { decodeText } from './xml-tree.ts';

// With this document type a browser knows HTML's entities, without it they break the page.
const KNOWS_ENTITIES = /<!DOCTYPE\s+html\s+PUBLIC/i;

/** Whether a browser's XML parser would read the page to its end. */
export function isWellFormed(bytes: Buffer): boolean {
  const source = decodeText(bytes);
  const lenient = KNOWS_ENTITIES.test(source.slice(0, 2000));
  const parser = new SaxesParser({ xmlns: true, position: false });
  let sound = true;
  parser.on('error', ({ message }) => {
    if (!(lenient && message.includes('undefined entity'))) sound = false;
  });
  parser.write(source).close();
  return sound;
}
