import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptCard } from './cards.ts';
import type { GatewayIntent } from './intent.ts';
import type { Setup } from './setup.ts';
import type { GatewaySubscription } from './subscription.ts';

/** One line of the journal: a payment, a setup or a subscription as it stands after a change, a card that is kept from now on, or no longer. */
export type Entry =
  | { kind: 'intent'; intent: GatewayIntent }
  | { kind: 'card'; customer: string; number: string; card: KeptCard }
  | { kind: 'forgotten'; token: string }
  | { kind: 'setup'; setup: Setup }
  | { kind: 'subscription'; subscription: GatewaySubscription };

/** Append-only lines of JSON, on the disk before the change is answered. A line that was cut off at the end is dropped. */
export type Journal = {
  entries(): Entry[];
  append(entry: Entry): void;
  close(): void;
};

export function openJournal(folder: string): Journal {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'journal.jsonl');
  const file = openSync(path, 'a+', 0o600);
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  const entries = whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
  return {
    entries: () => entries,
    append(entry) {
      writeSync(file, `${JSON.stringify(entry)}\n`);
      fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}
