import type { ActorRefFrom, EventObject } from 'xstate';
import { describe, expect, test } from 'vitest';
import type { purchaseMachine } from '../../machines/buying/purchase/purchase.ts';
import type { FlowName } from '../../machines/flows/registry.ts';
import type { Problem } from '../../machines/model/problem.ts';
import { problems, store } from '../../machines/path-models/path-model.ts';
import { customer, getFlow, getScreen, form, openShop, paidState, flushPromises } from '../support/open-shop.ts';

const rejectWith = (problem: Problem) => () => Promise.reject(problem);

describe('the shop', () => {
  test('leads a visitor who buys through sign-in and back to paying', async () => {
    const { app, visited, left, started } = openShop('/id:1001/the-keeper');
    await flushPromises();
    getFlow(app).send({ type: 'buy.pressed' });
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'purchase', value: 'ready' });

    getFlow(app).send({ type: 'pay.pressed' });
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'signIn', value: 'asking' });

    getFlow(app).send({ type: 'signIn.submitted', pii: { form } } as EventObject);
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'purchase', value: 'paying' });
    expect(started).toHaveLength(1);
    expect(left).toEqual(['https://pay.example/1']);
    expect(visited).toEqual([
      '/id:1001/the-keeper',
      '/title/purchase?titleid=1001',
      '/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1001&action=pay-9.99-USD',
      '/title/purchase?titleid=1001',
    ]);
  });

  test('leads a customer who is already signed in back, without pressing anything', async () => {
    const { app, started } = openShop('/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1001&action=pay-9.99-USD', {
      restored: customer,
    });
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'purchase', value: 'ready' });
    expect(started).toEqual([]);
  });

  test('reports an unreachable server, and opens on retry', async () => {
    let reachable = false;
    const { app } = openShop('/id:1001', { store: async () => (reachable ? store : Promise.reject(problems.offline)) });
    await flushPromises();
    expect(app.getSnapshot().value).toBe('opening');
    expect(app.getSnapshot().children.boot?.getSnapshot()).toMatchObject({ value: 'unreachable' });

    reachable = true;
    app.getSnapshot().children.boot?.send({ type: 'retry.pressed' });
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'title' });
  });

  test('reports a chunk that did not load, and loads it again on retry', async () => {
    let connected = false;
    const { app } = openShop('/id:1001', {
      fetchFlow: async () => (connected ? null : Promise.reject(new TypeError('Failed to fetch'))),
    });
    await flushPromises();
    expect(getScreen(app).getSnapshot().value).toBe('unfetched');
    connected = true;
    getScreen(app).send({ type: 'retry.pressed' });
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'title' });
  });

  test('loads each chunk once: a loaded screen is shown without a wait', async () => {
    const fetches: FlowName[] = [];
    const { app } = openShop('/id:1001', { fetchFlow: async ({ input }) => (fetches.push(input.flow), null) });
    await flushPromises();
    app.send({ type: 'go', to: '/about', replace: false });
    await flushPromises();
    app.send({ type: 'go', to: '/id:1001', replace: false });
    expect([getScreen(app).getSnapshot().value, getFlow(app)]).toMatchObject(['showing', { id: 'title', value: 'loading' }]);
    await flushPromises();
    expect(fetches).toEqual(['title', 'information']);
  });

  test('shows every address as invalid for a missing store', async () => {
    const { app, visited } = openShop('/all', { store: rejectWith(problems.invalidStore) });
    await flushPromises();
    expect(app.getSnapshot().value).toBe('invalid');
    expect(visited).toEqual(['/all', '/invalid']);
    app.send({ type: 'go', to: '/', replace: false });
    await flushPromises();
    expect(visited.at(-1)).toBe('/invalid');
  });

  test('sends a visitor from the library to sign-in, and from a sample to sign-up', async () => {
    const library = openShop('/mylibrary/audio');
    const sample = openShop('/viewer?instanceid=1001&sample=1');
    await flushPromises();
    expect(library.visited.at(-1)).toBe('/signin?return=%2Fmylibrary%2Faudio');
    expect(sample.visited.at(-1)).toBe('/signup?return=%2Fviewer%3Finstanceid%3D1001%26sample%3D1');
  });

  test('resumes a payment by its transaction, and confirms it once authorised', async () => {
    let confirmed = 0;
    const { visited } = openShop('/checkout/complete?transId=t1&intentId=in1', {
      restored: customer,
      paymentStatus: async () => ({ ...paidState, status: confirmed > 0 ? 'paid' : 'authorized' }),
      confirmPayment: async () => {
        confirmed += 1;
        return null;
      },
    });
    await flushPromises();
    expect(confirmed).toBe(1);
    expect(visited.at(-1)).toBe('/title/purchase/success?transId=t1');
  });

  test('reads the status when the answer to a confirmation is lost, and does not confirm again', async () => {
    let confirmed = 0;
    const { app, visited } = openShop('/checkout/complete?transId=t1', {
      restored: customer,
      paymentStatus: async () => ({ ...paidState, status: confirmed > 0 ? 'paid' : 'authorized' }),
      confirmPayment: () => {
        confirmed += 1;
        return Promise.reject(problems.timeout);
      },
    });
    await flushPromises();
    const payment = getFlow(app);
    expect(payment).toMatchObject({ id: 'purchase', value: 'paying' });
    const flow = getScreen(app).getSnapshot().children['flow'] as unknown as ActorRefFrom<typeof purchaseMachine>;
    expect(flow.getSnapshot().children.payment?.getSnapshot()).toMatchObject({ value: 'unknown' });
    flow.getSnapshot().children.payment?.send({ type: 'status.pressed' });
    await flushPromises();
    expect(confirmed).toBe(1);
    expect(visited.at(-1)).toBe('/title/purchase/success?transId=t1');
  });

  test('keeps the purchase when the session ends in the middle of paying', async () => {
    const { app, visited, refuse } = openShop('/checkout/complete?transId=t1', {
      restored: customer,
      paymentStatus: () => new Promise(() => {}),
    });
    await flushPromises();
    refuse({ type: 'session.refused' });
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'signIn', value: 'asking' });
    expect(visited.at(-1)).toBe('/signin?return=%2Fcheckout%2Fcomplete%3FtransId%3Dt1&action=pay&expired=1');
    expect(app.getSnapshot().context.session).toEqual({ userId: null });
  });

  test.each([
    ['the store’s properties', '/about'],
    ['a title', '/id:1001'],
  ])('continues as a visitor on %s when any call finds the session ended, and says so once', async (_, path) => {
    const { app, visited, refuse } = openShop(path, { restored: customer });
    await flushPromises();
    const before = getScreen(app).getSnapshot().children['flow'];
    refuse({ type: 'session.refused' });
    await flushPromises();
    expect(visited).toEqual([path]);
    expect(app.getSnapshot().context.session).toEqual({ userId: null });
    expect(getScreen(app).getSnapshot()).toMatchObject({ value: 'showing', context: { ended: true } });
    expect(getScreen(app).getSnapshot().children['flow']).not.toBe(before);
    refuse({ type: 'session.refused' });
    app.send({ type: 'go', to: '/terms', replace: false });
    await flushPromises();
    expect(getScreen(app).getSnapshot().context.ended).toBe(false);
  });

  test('leads from a page for customers to sign-in and back when the session has ended', async () => {
    const { app, visited, refuse } = openShop('/mylibrary/audio', { restored: customer });
    await flushPromises();
    refuse({ type: 'session.refused' });
    await flushPromises();
    expect(visited.at(-1)).toBe('/signin?return=%2Fmylibrary%2Faudio&expired=1');
    getFlow(app).send({ type: 'signIn.submitted', pii: { form } } as EventObject);
    await flushPromises();
    expect(visited.at(-1)).toBe('/mylibrary/audio');
  });

  test('shows a visitor nothing about an ended session', async () => {
    const { app, refuse } = openShop('/about');
    await flushPromises();
    refuse({ type: 'session.refused' });
    await flushPromises();
    expect(getScreen(app).getSnapshot().context.ended).toBe(false);
  });

  test('restarts the current screen for another customer, and not for the same one', async () => {
    const { app } = openShop('/id:1001', { restored: customer });
    await flushPromises();
    const flow = () => getScreen(app).getSnapshot().children['flow'];
    const first = flow();
    const elsewhere = (userId: string) =>
      app.getSnapshot().children['session']?.send({ type: 'session.startedElsewhere', userId, pii: { email: 'x' } } as never);
    elsewhere(customer.userId);
    await flushPromises();
    expect(flow()).toBe(first);
    elsewhere('u2');
    await flushPromises();
    expect(flow()).not.toBe(first);
    expect(getFlow(app)).toMatchObject({ id: 'title' });
  });

  test('leads to /invalid when any call finds the store missing', async () => {
    const { app, visited, refuse } = openShop('/id:1001');
    await flushPromises();
    refuse({ type: 'store.refused' });
    await flushPromises();
    expect(app.getSnapshot().value).toBe('invalid');
    expect(visited).toEqual(['/id:1001', '/invalid']);
  });

  test('ends the session in this tab when another tab signs out', async () => {
    const { app, visited } = openShop('/mylibrary', { restored: customer });
    await flushPromises();
    app.getSnapshot().children['session']?.send({ type: 'session.endedElsewhere' } as never);
    await flushPromises();
    expect(visited.at(-1)).toBe('/signin?return=%2Fmylibrary');
  });
});
