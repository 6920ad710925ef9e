import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signBody } from '../../../../server/base/signature.ts';
import { createGateway } from '../../../../server/gateway/app.ts';
import type { GatewayIntent } from '../../../../server/gateway/intent.ts';
import { createTestGateway } from '../../../../server/payment/test-gateway.ts';
import { readTestGatewayWebhook } from '../../../../server/payment/test-gateway-webhook.ts';
import { CARD_NUMBERS, submitCardForm, postFields } from '../paying.ts';
import { DAY_MS, type PlayedGateway, TIMEOUT_MS } from './harness.ts';

const SECRET = 'the secret of the tests';

/** The built-in gateway, with its own folder. */
export async function startTestHarness(): Promise<PlayedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-gateway-'));
  let ahead = 0;
  const gateway = createGateway({ folder, secret: SECRET, now: () => Date.now() + ahead });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
  /** Journal lines of a payment in one state. */
  const written = async (reference: string, state: string) => {
    const lines = (await readFile(join(folder, 'journal.jsonl'), 'utf8')).trim().split('\n');
    const intents = lines.map((line) => (JSON.parse(line) as { intent?: GatewayIntent }).intent);
    return intents
      .filter((intent) => intent !== undefined)
      .filter((each) => each.reference === reference && each.state === state);
  };
  return {
    gateway: {
      port: createTestGateway({ origin, secret: SECRET, timeout: TIMEOUT_MS }),
      webhooks: { path: '/webhooks/test', read: readTestGatewayWebhook(SECRET) },
    },
    async pay(url, card) {
      const answer = await submitCardForm(url, CARD_NUMBERS[card]);
      return answer.headers.get('location')?.startsWith('http') === true;
    },
    async payWithoutCard(url, approves) {
      const { origin: at, pathname } = new URL(url);
      const answer = await postFields(`${at}${pathname}/wallet`, { answer: approves ? 'approve' : 'fail' });
      return answer.headers.get('location')?.startsWith('http') === true;
    },
    charges: async (reference) => Object.keys(Object.groupBy(await written(reference, 'captured'), ({ id }) => id)).length,
    refunded: async (reference) => (await written(reference, 'captured')).at(-1)?.refundedMinor ?? 0,
    advanceDays: (days) => void (ahead += days * DAY_MS),
    unknown: [],
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
