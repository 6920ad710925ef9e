import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signBody } from '../../../../server/base/signature.ts';
import { createGateway } from '../../../../server/gateway/app.ts';
import type { GatewayIntent } from '../../../../server/gateway/intent.ts';
import { createTestGateway } from '../../../../server/payment/test-gateway.ts';
import { createTestGatewayWebhookReader } from '../../../../server/payment/test-gateway-webhook.ts';
import { CARD_NUMBERS, submitCardForm, postFields } from '../paying.ts';
import { DAY_MS, type GatewayHarness, TIMEOUT_MS } from './harness.ts';

const SECRET = 'the secret of the tests';

/** Starts the built-in gateway, with its own folder. */
export async function startTestHarness(): Promise<GatewayHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-gateway-'));
  let clockOffsetMs = 0;
  const gateway = createGateway({ folder, secret: SECRET, now: () => Date.now() + clockOffsetMs });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  /** The intents of a payment in the journal, in one state. */
  const readJournalIntents = async (reference: string, state: string) => {
    const lines = (await readFile(join(folder, 'journal.jsonl'), 'utf8')).trim().split('\n');
    const intents = lines.map((line) => (JSON.parse(line) as { intent?: GatewayIntent }).intent);
    return intents
      .filter((intent) => intent !== undefined)
      .filter((each) => each.reference === reference && each.state === state);
  };
  return {
    gateway: {
      port: createTestGateway({ origin, secret: SECRET, timeout: TIMEOUT_MS }),
      webhooks: { path: '/webhooks/test', read: createTestGatewayWebhookReader(SECRET) },
    },
    async pay(url, card) {
      const response = await submitCardForm(url, CARD_NUMBERS[card]);
      return response.headers.get('location')?.startsWith('http') === true;
    },
    async payWithoutCard(url, approves) {
      const { origin: gatewayOrigin, pathname } = new URL(url);
      const response = await postFields(`${gatewayOrigin}${pathname}/wallet`, { answer: approves ? 'approve' : 'fail' });
      return response.headers.get('location')?.startsWith('http') === true;
    },
    countCharges: async (reference) =>
      Object.keys(Object.groupBy(await readJournalIntents(reference, 'captured'), ({ id }) => id)).length,
    readRefundedMinor: async (reference) => (await readJournalIntents(reference, 'captured')).at(-1)?.refundedMinor ?? 0,
    advanceDays: (days) => void (clockOffsetMs += days * DAY_MS),
    unknownRequests: [],
    webhook(reference) {
      const body = JSON.stringify({ id: 'm-1', reference, state: 'captured' });
      return { body, headers: { 'gateway-signature': signBody(body, SECRET, Date.now()) } };
    },
    async close() {
      await gateway.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
