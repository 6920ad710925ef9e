import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { paymentEmails } from '../../../server/jobs/payment-emails.ts';

const server = resolve(import.meta.dirname, '../../../server');

const isEmail = (value: unknown): value is { kind: string } =>
  typeof value === 'object' && value !== null && 'kind' in value && 'compose' in value;

test('paymentEmails lists each e-mail that a payment, subscription or purchase module declares, exactly once', async () => {
  const files = globSync('{payment,subscriptions,purchases}/**/*.ts', { cwd: server });
  const modules = await Promise.all(files.map(async (file) => (await import(join(server, file))) as Record<string, unknown>));
  const declaredEmails = modules.flatMap((exports) => Object.values(exports).filter(isEmail));
  expect(declaredEmails.map(({ kind }) => kind).toSorted()).toEqual(paymentEmails.map(({ kind }) => kind).toSorted());
  expect(new Set(paymentEmails.map(({ kind }) => kind)).size).toBe(paymentEmails.length);
});
