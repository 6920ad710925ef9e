import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type SavedCard, type TestCard, findTestCard } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import type { Setup } from './setup.ts';
import type { GatewaySubscription } from './subscription.ts';

/**
 * A line of the journal: a payment, setup or subscription after a change, a saved card, or a
 * deleted one.
 */
export type JournalEntry =
  | { kind: 'intent'; intent: GatewayIntent }
  | { kind: 'card'; customer: string; testCard: TestCard; card: SavedCard }
  | { kind: 'forgotten'; token: string }
  | { kind: 'setup'; setup: Setup }
  | { kind: 'subscription'; subscription: GatewaySubscription };

/**
 * Append-only lines of JSON, synced to disk before the response to a change is sent. An incomplete
 * last line is dropped.
 */
export type Journal = {
  entries(): JournalEntry[];
  append(entry: JournalEntry): void;
  close(): void;
};

const toLine = (entry: JournalEntry): string => `${JSON.stringify(entry)}\n`;

/**
 * Fields of older versions with a card's number, and the fields that hold the test card's name
 * instead.
 */
const RENAMED_FIELDS = new Map([
  ['number', 'testCard'],
  ['payer', 'renewalCard'],
]);

function removeCardNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeCardNumbers);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each]): [string, unknown] => {
    const newName = RENAMED_FIELDS.get(name);
    return newName === undefined ? [name, removeCardNumbers(each)] : [newName, findTestCard(String(each))];
  });
  return Object.fromEntries(fields);
}

/**
 * Replaces the file atomically: a process killed while writing leaves the old file or the new one.
 */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/**
 * Opens the journal of a folder; removes the card numbers that older versions stored, and an
 * incomplete last line.
 */
export function openJournal(folder: string): Journal {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'journal.jsonl');
  closeSync(openSync(path, 'a', 0o600));
  const text = readFileSync(path, 'utf8');
  const entries = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => removeCardNumbers(JSON.parse(line)) as JournalEntry);
  const cleanText = entries.map(toLine).join('');
  if (cleanText !== text) replaceFile(path, cleanText);
  const file = openSync(path, 'a', 0o600);
  return {
    entries: () => entries,
    append(entry) {
      writeSync(file, toLine(entry));
      fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}
