import type { FileHandle } from 'node:fs/promises';

/** Where an object of a PDF stands, by its number. */
export type PdfEntry = { offset: number; generation: number };

/** A PDF's newest table of objects (ISO 32000-1, 7.5.4), with what older ones add to it. */
export type PdfTable = {
  entries: ReadonlyMap<number, PdfEntry>;
  /** The inside of the newest trailer's dictionary. */
  trailer: string;
  /** Where the newest table begins. */
  start: number;
};

const TAIL_BYTES = 2048;
const TRAILER_BYTES = 16 * 1024;
const ENTRY_BYTES = 20;
/** A table of more objects is left alone, and so is a document that was changed more often. */
const MOST_ENTRIES = 300_000;
const MOST_TABLES = 64;

/** As much of the file as there is, as Latin-1 text. */
export async function textAt(file: FileHandle, offset: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  return buffer.toString('latin1', 0, bytesRead);
}

/** The tables of a document; null when it has none of the classic kind, which is then left as it is. */
export async function readTable(file: FileHandle, size: number): Promise<PdfTable | null> {
  const tail = await textAt(file, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  const start = numberAfter(tail.slice(Math.max(0, tail.lastIndexOf('startxref'))), 'startxref');
  if (start === null) return null;
  const entries = new Map<number, PdfEntry>();
  let trailer: string | null = null;
  const read = new Set<number>();
  for (let next: number | null = start; next !== null && !read.has(next);) {
    read.add(next);
    const older = await readSection(file, next, entries);
    if (older === null || read.size > MOST_TABLES) return null;
    trailer ??= older;
    next = numberAfter(older, '/Prev');
  }
  return trailer === null ? null : { entries, trailer, start };
}

/** Reads one table into `entries`, where newer ones stand already, and gives the inside of its trailer. */
async function readSection(file: FileHandle, offset: number, entries: Map<number, PdfEntry>): Promise<string | null> {
  let at = offset;
  let head = await textAt(file, at, 64);
  const mark = /^\s{0,8}xref\s{1,8}/.exec(head);
  if (mark === null) return null;
  at += mark[0].length;
  for (;;) {
    head = await textAt(file, at, 64);
    const range = /^\s{0,8}(\d{1,10})\s(\d{1,10})\s{1,3}(?=\d{10} |\s{0,8}trailer)/.exec(head);
    if (range === null) break;
    const [first, count] = [Number(range[1]), Number(range[2])];
    if (entries.size + count > MOST_ENTRIES) return null;
    at += range[0].length;
    const lines = await textAt(file, at, count * ENTRY_BYTES);
    for (let nth = 0; nth < count; nth += 1) {
      const line = /^(\d{10}) (\d{5}) ([nf])/.exec(lines.slice(nth * ENTRY_BYTES, (nth + 1) * ENTRY_BYTES));
      if (line === null) return null;
      if (line[3] === 'n' && !entries.has(first + nth)) {
        entries.set(first + nth, { offset: Number(line[1]), generation: Number(line[2]) });
      }
    }
    at += count * ENTRY_BYTES;
  }
  const text = await textAt(file, at, TRAILER_BYTES);
  const [open, end] = [text.indexOf('<<'), text.indexOf('startxref')];
  const close = text.lastIndexOf('>>', end);
  return /^\s{0,8}trailer/.test(text) && open >= 0 && end > open && close > open ? text.slice(open + 2, close) : null;
}

/** The number that follows a word; null when there is none. */
function numberAfter(text: string, word: string): number | null {
  const at = text.indexOf(word);
  const number = at < 0 ? null : /^\s{0,8}(\d{1,12})/.exec(text.slice(at + word.length, at + word.length + 32));
  return number === null ? null : Number(number[1]);
}
