import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { startGateway } from '../../../server/payment/gateway-process.ts';
import { createTestGateway } from '../../../server/payment/test-gateway.ts';
import { startGatewayProcess } from '../support/started-gateway.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the gateway gets only its own environment variables, not those of the shop', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://shop:password@database/shop');
  vi.stubEnv('ANOTHER_SECRET', 'of the shop');
  vi.stubEnv('HOST', '127.0.0.1');
  vi.stubEnv('HOME', '/home/shop');
  const folder = await mkdtemp(join(tmpdir(), 'colophon-gateway-'));
  const gateway = await startGateway({ folder, port: 0, hostname: '127.0.0.1' });
  try {
    const variables = (await readFile(`/proc/${gateway.pid()}/environ`, 'utf8'))
      .split('\0')
      .map((line) => line.split('=')[0] ?? '');
    expect(variables).toEqual(expect.arrayContaining(['PORT', 'HOST', 'HOME', 'PATH', 'GATEWAY_FOLDER', 'GATEWAY_SECRET']));
    // Without the variables that Node adds for the IPC channel.
    const gatewayVariables = variables.filter((name) => name !== '' && !name.startsWith('NODE_CHANNEL_'));
    const allowedNames = ['PATH', 'HOME', 'TMPDIR', 'NODE_OPTIONS', 'HOST', 'PORT', 'GATEWAY_FOLDER', 'GATEWAY_SECRET'];
    expect(gatewayVariables.filter((name) => !allowedNames.includes(name))).toEqual([]);
    const headers = { authorization: `Bearer ${gateway.secret}` };
    expect((await fetch(`${gateway.origin}/api/intents?reference=none`, { headers })).status).toBe(404);
  } finally {
    await gateway.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a killed gateway restarts on the same port with the same data', async () => {
  const consoleError = vi.spyOn(console, 'error').mockReturnValue();
  const folder = await mkdtemp(join(tmpdir(), 'colophon-gateway-'));
  const gateway = await startGateway({ folder, port: 0, hostname: '127.0.0.1' });
  const payments = createTestGateway({ origin: gateway.origin, secret: gateway.secret, timeout: 10_000 });
  try {
    const intent = await payments.create({
      reference: 'store/one',
      amountMinor: 990,
      currency: 'EUR',
      description: 'A book',
      shopName: 'A shop',
      returnUrl: 'http://localhost/checkout/complete',
      language: 'en',
      customer: 'store/ann',
    });
    for (let restarts = 0; restarts < 2; restarts += 1) {
      const killedPid = gateway.pid() ?? 0;
      process.kill(killedPid, 'SIGKILL');
      await expect.poll(() => gateway.pid(), { timeout: 30_000 }).not.toBe(killedPid);
      await expect.poll(() => payments.isUp(), { timeout: 30_000 }).toBe(true);
      expect(await payments.read(intent.id)).toMatchObject({ id: intent.id, reference: 'store/one', state: 'open' });
    }
    expect(consoleError.mock.calls.map(([line]) => String(line))).toEqual([
      'The payment gateway exited (SIGKILL). Restarting in 0.5 s.',
      'The payment gateway exited (SIGKILL). Restarting in 1 s.',
    ]);
    await gateway.stop();
    expect(await payments.isUp()).toBe(false);
  } finally {
    await gateway.stop();
    consoleError.mockRestore();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a standalone gateway runs until it is stopped, and a second one on its port exits', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-gateway-'));
  const environment = { GATEWAY_FOLDER: folder, GATEWAY_SECRET: 'what shops and gateway share', PORT: '0' };
  const gateway = await startGatewayProcess(environment);
  try {
    const connectPayments = (secret: string) => createTestGateway({ origin: gateway.origin, secret, timeout: 10_000 });
    expect(await connectPayments(environment.GATEWAY_SECRET).readByReference('store/none')).toBeUndefined();
    await expect(connectPayments('a guess of what they share').readByReference('store/none')).rejects.toMatchObject({
      cause: { message: expect.stringContaining('HTTP 401') as string },
    });
    const secondGateway = await startGatewayProcess({
      ...environment,
      GATEWAY_FOLDER: `${folder}/2`,
      PORT: new URL(gateway.origin).port,
    });
    expect([secondGateway.output, await secondGateway.exitCode]).toEqual([expect.stringContaining('EADDRINUSE'), 1]);
    expect(await gateway.end('SIGINT')).toBe(0);
  } finally {
    await gateway.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
});

test.each([
  [{ GATEWAY_FOLDER: '/tmp/colophon-none' }, 'GATEWAY_SECRET must have at least 16 characters, but is missing.\n'],
  [
    { GATEWAY_FOLDER: '/tmp/colophon-none', GATEWAY_SECRET: 'too short' },
    'GATEWAY_SECRET must have at least 16 characters, not the given 9 characters.\n',
  ],
  [{ GATEWAY_SECRET: 'what shops and gateway share' }, 'GATEWAY_FOLDER must name the folder of the journal, but is missing.\n'],
] as const)('the gateway does not start with %o', async (environment, message) => {
  const gateway = await startGatewayProcess(environment);
  expect([gateway.output, await gateway.exitCode]).toEqual([message, 1]);
});
