import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type KeptCard, type TestCard, testCardOf } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import type { Setup } from './setup.ts';
import type { GatewaySubscription } from './subscription.ts';

/** One line of the journal: a payment, a setup or a subscription as it stands after a change, a card that is kept from now on, or no longer. */
export type Entry =
  | { kind: 'intent'; intent: GatewayIntent }
  | { kind: 'card'; customer: string; testCard: TestCard; card: KeptCard }
  | { kind: 'forgotten'; token: string }
  | { kind: 'setup'; setup: Setup }
  | { kind: 'subscription'; subscription: GatewaySubscription };

/** Append-only lines of JSON, on the disk before the change is answered. A line that was cut off at the end is dropped. */
export type Journal = {
  entries(): Entry[];
  append(entry: Entry): void;
  close(): void;
};

const lineOf = (entry: Entry): string => `${JSON.stringify(entry)}\n`;

/**
 * Fields of older gateways that had a card's number, and the ones that have the test card's name
 * now.
 */
const RENAMED_FIELDS = new Map([
  ['number', 'testCard'],
  ['payer', 'renewalCard'],
]);

function withoutCardNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCardNumbers);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each]): [string, unknown] => {
    const renamed = RENAMED_FIELDS.get(name);
    return renamed === undefined ? [name, withoutCardNumbers(each)] : [renamed, testCardOf(String(each))];
  });
  return Object.fromEntries(fields);
}

/** Atomic: a gateway that is killed while writing finds the old file or the new one. */
function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
}

/** @param folder where the journal is; one of an older gateway is rewritten without card numbers */
export function openJournal(folder: string): Journal {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'journal.jsonl');
  closeSync(openSync(path, 'a', 0o600));
  const text = readFileSync(path, 'utf8');
  const entries = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => withoutCardNumbers(JSON.parse(line)) as Entry);
  const wanted = entries.map(lineOf).join('');
  if (wanted !== text) replaceFile(path, wanted);
  const file = openSync(path, 'a', 0o600);
  return {
    entries: () => entries,
    append(entry) {
      writeSync(file, lineOf(entry));
      fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}
