import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GatewaySubscription } from '../../../server/gateway/subscription.ts';

/**
 * The latest version of a subscription in the gateway's journal, by the shop's reference; undefined
 * without one.
 */
export async function readSubscription(folder: string, reference: string): Promise<GatewaySubscription | undefined> {
  const lines = (await readFile(join(folder, 'journal.jsonl'), 'utf8')).split('\n').filter((line) => line !== '');
  const subscriptions = lines.flatMap((line) => (JSON.parse(line) as { subscription?: GatewaySubscription }).subscription ?? []);
  return subscriptions.findLast((each) => each.reference === reference);
}

/** The states that each payment has gone through in the gateway's journal, by its reference. */
export async function readJournal(folder: string): Promise<Map<string, string[]>> {
  const lines = (await readFile(join(folder, 'journal.jsonl'), 'utf8')).split('\n').filter((line) => line !== '');
  const states = new Map<string, string[]>();
  for (const line of lines) {
    const { intent } = JSON.parse(line) as { intent?: { reference: string; state: string } };
    if (intent) states.set(intent.reference, [...(states.get(intent.reference) ?? []), intent.state]);
  }
  return states;
}

/** Payments for which the gateway may still reserve money, each with its last state. */
export const findUnfinishedPayments = (journal: Map<string, string[]>): { reference: string; state: string }[] =>
  [...journal]
    .map(([reference, states]) => ({ reference, state: states.at(-1) ?? '' }))
    .filter(({ state }) => !['captured', 'cancelled', 'failed'].includes(state));
