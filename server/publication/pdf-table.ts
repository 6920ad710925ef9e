import type { FileHandle } from 'node:fs/promises';

/** The position of an object in a PDF. */
export type PdfEntry = { offset: number; generation: number };

/** A PDF's newest cross-reference table (ISO 32000-1, 7.5.4), merged with the older ones. */
export type PdfTable = {
  entries: ReadonlyMap<number, PdfEntry>;
  /** The content of the newest trailer's dictionary. */
  trailer: string;
  /** The offset of the newest table. */
  start: number;
};

const TAIL_BYTES = 2048;
const TRAILER_BYTES = 16 * 1024;
const ENTRY_BYTES = 20;
/** Larger tables, and documents that were changed more often, are sent unchanged. */
const MAX_ENTRIES = 300_000;
const MAX_TABLES = 64;

/** Up to `length` bytes of the file, as Latin-1 text. */
export async function readTextAt(file: FileHandle, offset: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.toString('latin1', 0, bytesRead);
}

/**
 * The cross-reference tables of a document; null without classic ones, and where they are too many
 * or too large: the document is then sent unchanged.
 */
export async function readTable(file: FileHandle, size: number): Promise<PdfTable | null> {
  const tail = await readTextAt(file, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  const start = readNumberAfter(tail.slice(Math.max(0, tail.lastIndexOf('startxref'))), 'startxref');
  if (start === null) return null;
  const entries = new Map<number, PdfEntry>();
  let trailer: string | null = null;
  const readOffsets = new Set<number>();
  for (let nextOffset: number | null = start; nextOffset !== null && !readOffsets.has(nextOffset);) {
    readOffsets.add(nextOffset);
    const tableTrailer = await readSection(file, nextOffset, entries);
    if (tableTrailer === null || readOffsets.size > MAX_TABLES) return null;
    trailer ??= tableTrailer;
    nextOffset = readNumberAfter(tableTrailer, '/Prev');
  }
  return trailer === null ? null : { entries, trailer, start };
}

/**
 * Reads one table into `entries`, where newer entries take precedence, and returns the content of
 * its trailer; null for a table in another form, and beyond the maximum of entries.
 */
async function readSection(file: FileHandle, offset: number, entries: Map<number, PdfEntry>): Promise<string | null> {
  let position = offset;
  let head = await readTextAt(file, position, 64);
  const keyword = /^\s{0,8}xref\s{1,8}/.exec(head);
  if (keyword === null) return null;
  position += keyword[0].length;
  for (;;) {
    head = await readTextAt(file, position, 64);
    const range = /^\s{0,8}(\d{1,10})\s(\d{1,10})\s{1,3}(?=\d{10} |\s{0,8}trailer)/.exec(head);
    if (range === null) break;
    const [first, count] = [Number(range[1]), Number(range[2])];
    if (entries.size + count > MAX_ENTRIES) return null;
    position += range[0].length;
    const lines = await readTextAt(file, position, count * ENTRY_BYTES);
    for (let index = 0; index < count; index += 1) {
      const line = /^(\d{10}) (\d{5}) ([nf])/.exec(lines.slice(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES));
      if (line === null) return null;
      if (line[3] === 'n' && !entries.has(first + index)) {
        entries.set(first + index, { offset: Number(line[1]), generation: Number(line[2]) });
      }
    }
    position += count * ENTRY_BYTES;
  }
  const text = await readTextAt(file, position, TRAILER_BYTES);
  const [open, end] = [text.indexOf('<<'), text.indexOf('startxref')];
  const close = text.lastIndexOf('>>', end);
  return /^\s{0,8}trailer/.test(text) && open >= 0 && end > open && close > open ? text.slice(open + 2, close) : null;
}

/** The number after a word; null without a number. */
function readNumberAfter(text: string, word: string): number | null {
  const index = text.indexOf(word);
  const number = index < 0 ? null : /^\s{0,8}(\d{1,12})/.exec(text.slice(index + word.length, index + word.length + 32));
  return number === null ? null : Number(number[1]);
}
