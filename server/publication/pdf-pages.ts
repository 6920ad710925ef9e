import { open, type FileHandle } from 'node:fs/promises';
import { readTable, readTextAt, type PdfTable } from './pdf-table.ts';

/** A document with fewer nodes in its page tree gets no addition. */
const MIN_NODES = 16;
const MAX_NODES = 20_000;
const MAX_ADDITION_BYTES = 8 * 2 ** 20;
/** Bytes of the first read of an object; a node of many pages needs more. */
const OBJECT_BYTES = 1024;
const MAX_OBJECT_BYTES = 512 * 1024;
const MAX_CONCURRENT = 32;

type PdfObject = { number: number; generation: number; text: string };

/**
 * The addition to a PDF that puts the objects of its pages side by side, or null for a document
 * that is better sent unchanged. Readers request the object of every page before they show the
 * first one; in a scan each is between two pictures and costs a request of its own. The addition is
 * an ordinary incremental update (ISO 32000-1, 7.5.6) with copies of these objects, so that no byte
 * before it changes.
 */
export async function makePageAddition(path: string): Promise<Buffer | null> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    // Offsets count from the `%PDF-` mark, which must be at the very beginning.
    if ((await readTextAt(file, 0, 5)) !== '%PDF-') return null;
    const table = await readTable(file, size);
    const pageNodes = table === null ? null : await findPages(file, table);
    if (table === null || pageNodes === null) return null;
    return pageNodes.length < MIN_NODES ? null : writeUpdate(pageNodes, table, size);
  } finally {
    await file.close();
  }
}

/**
 * The nodes of the page tree, level by level; null when one of them is missing or repeated, or when
 * all together are too many or too large.
 */
async function findPages(file: FileHandle, table: PdfTable): Promise<PdfObject[] | null> {
  const root = await readObject(file, table, findReference(table.trailer, '/Root'));
  const top = root === null ? null : findReference(root.text, '/Pages');
  const pageNodes: PdfObject[] = [];
  const seen = new Set<number>();
  let bytes = 0;
  for (let level = top === null ? [] : [top]; level.length > 0;) {
    const nextLevel: number[] = [];
    for (let index = 0; index < level.length; index += MAX_CONCURRENT) {
      const nodes = await Promise.all(
        level.slice(index, index + MAX_CONCURRENT).map((number) => readObject(file, table, number)),
      );
      for (const node of nodes) {
        if (node === null || seen.has(node.number)) return null;
        seen.add(node.number);
        bytes += node.text.length;
        pageNodes.push(node);
        nextLevel.push(...readKids(node.text));
      }
      if (pageNodes.length > MAX_NODES || bytes > MAX_ADDITION_BYTES) return null;
    }
    level = nextLevel;
  }
  return pageNodes;
}

/**
 * An object with its `obj` and `endobj`; null for one that is not at its offset, has a stream or is
 * very long.
 */
async function readObject(file: FileHandle, { entries }: PdfTable, number: number | null): Promise<PdfObject | null> {
  const entry = number === null ? undefined : entries.get(number);
  if (entry === undefined || number === null) return null;
  for (let length = OBJECT_BYTES; length <= MAX_OBJECT_BYTES; length *= 8) {
    const text = await readTextAt(file, entry.offset, length);
    const end = text.indexOf('endobj');
    if (end < 0) continue;
    const objectText = text.slice(0, end + 'endobj'.length).trimStart();
    const hasHeader = new RegExp(`^${number}\\s{1,8}${entry.generation}\\s{1,8}obj\\b`).test(objectText);
    // An `endobj` inside a string may have been taken for the end.
    const isBalanced = objectText.split('<<').length === objectText.split('>>').length;
    return hasHeader && isBalanced && !objectText.includes('stream')
      ? { number, generation: entry.generation, text: objectText }
      : null;
  }
  return null;
}

const REFERENCE_PATTERN = /(\d{1,10})\s{1,8}\d{1,5}\s{1,8}R\b/g;

function findReference(text: string, key: string): number | null {
  const match = new RegExp(`${key}\\s{1,8}(?=\\d)`).exec(text);
  const textAfterKey = match === null ? '' : text.slice(match.index + match[0].length, match.index + match[0].length + 40);
  const number = /^(\d{1,10})\s{1,8}\d{1,5}\s{1,8}R\b/.exec(textAfterKey)?.[1];
  return number === undefined ? null : Number(number);
}

function readKids(text: string): number[] {
  const key = text.indexOf('/Kids');
  const [open, close] = [text.indexOf('[', key), text.indexOf(']', key)];
  if (key < 0 || open < 0 || close < open) return [];
  return [...text.slice(open, close).matchAll(REFERENCE_PATTERN)].map(([, number]) => Number(number));
}

function writeUpdate(pageNodes: readonly PdfObject[], { trailer, start }: PdfTable, size: number): Buffer {
  const parts: string[] = ['\n'];
  let offset = size + 1;
  const lines = new Map<number, string>();
  for (const { number, generation, text } of pageNodes) {
    lines.set(number, `${String(offset).padStart(10, '0')} ${String(generation).padStart(5, '0')} n \n`);
    parts.push(text, '\n');
    offset += text.length + 1;
  }
  const numbers = [...lines.keys()].toSorted((a, b) => a - b);
  const rows = numbers.map((number, index) => {
    const isFirst = index === 0 || numbers[index - 1] !== number - 1;
    if (!isFirst) return lines.get(number);
    let last = index;
    while (numbers[last + 1] === (numbers[last] ?? 0) + 1) last += 1;
    return `${number} ${last - index + 1}\n${lines.get(number)}`;
  });
  const trailerEntries = trailer.replaceAll(/\/(?:Prev|XRefStm)\s{0,8}\d{1,12}/g, ' ');
  parts.push('xref\n', ...rows.map(String), `trailer\n<<${trailerEntries} /Prev ${start} >>\nstartxref\n${offset}\n%%EOF\n`);
  return Buffer.from(parts.join(''), 'latin1');
}
