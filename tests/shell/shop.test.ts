import type { ActorRefFrom, EventObject } from 'xstate';
import { describe, expect, test } from 'vitest';
import type { purchaseMachine } from '../../machines/buying/purchase/purchase.ts';
import type { FlowName } from '../../machines/flows/registry.ts';
import type { Problem } from '../../machines/model/problem.ts';
import { problems, store } from '../../machines/path-models/path-model.ts';
import { customer, getFlow, getScreen, form, openShop, paidState, flushPromises } from '../support/open-shop.ts';

const rejectWith = (problem: Problem) => () => Promise.reject(problem);

describe('the shop', () => {
  test('the shop leads a visitor who buys through sign-in and back to paying', async () => {
    const { app, visitedPaths, externalUrls, startedOrders } = openShop('/id:1001/the-keeper');
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
    expect(startedOrders).toHaveLength(1);
    expect(externalUrls).toEqual(['https://pay.example/1']);
    expect(visitedPaths).toEqual([
      '/id:1001/the-keeper',
      '/title/purchase?titleid=1001',
      '/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1001&action=pay-9.99-USD',
      '/title/purchase?titleid=1001',
    ]);
  });

  test('the shop leads a signed-in customer back from sign-in, without pressing Pay', async () => {
    const { app, startedOrders } = openShop('/signin?return=%2Ftitle%2Fpurchase%3Ftitleid%3D1001&action=pay-9.99-USD', {
      restoredUser: customer,
    });
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'purchase', value: 'ready' });
    expect(startedOrders).toEqual([]);
  });

  test('the shop reports an unreachable server, and opens on retry', async () => {
    let isReachable = false;
    const { app } = openShop('/id:1001', { store: async () => (isReachable ? store : Promise.reject(problems.offline)) });
    await flushPromises();
    expect(app.getSnapshot().value).toBe('opening');
    expect(app.getSnapshot().children.boot?.getSnapshot()).toMatchObject({ value: 'unreachable' });

    isReachable = true;
    app.getSnapshot().children.boot?.send({ type: 'retry.pressed' });
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'title' });
  });

  test('the shop reports a chunk that did not load, and loads it again on retry', async () => {
    let isConnected = false;
    const { app } = openShop('/id:1001', {
      fetchFlow: async () => (isConnected ? null : Promise.reject(new TypeError('Failed to fetch'))),
    });
    await flushPromises();
    expect(getScreen(app).getSnapshot().value).toBe('unfetched');
    isConnected = true;
    getScreen(app).send({ type: 'retry.pressed' });
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'title' });
  });

  test('the shop loads each chunk once: a loaded screen is shown at once', async () => {
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

  test('the shop shows every address of a missing store as invalid', async () => {
    const { app, visitedPaths } = openShop('/all', { store: rejectWith(problems.invalidStore) });
    await flushPromises();
    expect(app.getSnapshot().value).toBe('invalid');
    expect(visitedPaths).toEqual(['/all', '/invalid']);
    app.send({ type: 'go', to: '/', replace: false });
    await flushPromises();
    expect(visitedPaths.at(-1)).toBe('/invalid');
  });

  test('the shop redirects a visitor from the library to sign-in, and from a sample to sign-up', async () => {
    const library = openShop('/mylibrary/audio');
    const sample = openShop('/viewer?instanceid=1001&sample=1');
    await flushPromises();
    expect(library.visitedPaths.at(-1)).toBe('/signin?return=%2Fmylibrary%2Faudio');
    expect(sample.visitedPaths.at(-1)).toBe('/signup?return=%2Fviewer%3Finstanceid%3D1001%26sample%3D1');
  });

  test('the shop resumes a payment by its transaction, and confirms it once authorised', async () => {
    let confirmationCount = 0;
    const { visitedPaths } = openShop('/checkout/complete?transId=t1&intentId=in1', {
      restoredUser: customer,
      paymentStatus: async () => ({ ...paidState, status: confirmationCount > 0 ? 'paid' : 'authorized' }),
      confirmPayment: async () => {
        confirmationCount += 1;
        return null;
      },
    });
    await flushPromises();
    expect(confirmationCount).toBe(1);
    expect(visitedPaths.at(-1)).toBe('/title/purchase/success?transId=t1');
  });

  test('the shop reads the status when the response to a confirmation is lost, and does not confirm again', async () => {
    let confirmationCount = 0;
    const { app, visitedPaths } = openShop('/checkout/complete?transId=t1', {
      restoredUser: customer,
      paymentStatus: async () => ({ ...paidState, status: confirmationCount > 0 ? 'paid' : 'authorized' }),
      confirmPayment: () => {
        confirmationCount += 1;
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
    expect(confirmationCount).toBe(1);
    expect(visitedPaths.at(-1)).toBe('/title/purchase/success?transId=t1');
  });

  test('the shop leads back to the payment when the session ends in the middle of it', async () => {
    const { app, visitedPaths, refuse } = openShop('/checkout/complete?transId=t1', {
      restoredUser: customer,
      paymentStatus: () => new Promise(() => {}),
    });
    await flushPromises();
    refuse({ type: 'session.refused' });
    await flushPromises();
    expect(getFlow(app)).toMatchObject({ id: 'signIn', value: 'asking' });
    expect(visitedPaths.at(-1)).toBe('/signin?return=%2Fcheckout%2Fcomplete%3FtransId%3Dt1&action=pay&expired=1');
    expect(app.getSnapshot().context.session).toEqual({ userId: null });
  });

  test.each([
    ['the store’s properties', '/about'],
    ['a title', '/id:1001'],
  ])('the shop shows %s to a visitor when any call finds the session ended, and says so once', async (_, path) => {
    const { app, visitedPaths, refuse } = openShop(path, { restoredUser: customer });
    await flushPromises();
    const flowBefore = getScreen(app).getSnapshot().children['flow'];
    refuse({ type: 'session.refused' });
    await flushPromises();
    expect(visitedPaths).toEqual([path]);
    expect(app.getSnapshot().context.session).toEqual({ userId: null });
    expect(getScreen(app).getSnapshot()).toMatchObject({ value: 'showing', context: { ended: true } });
    expect(getScreen(app).getSnapshot().children['flow']).not.toBe(flowBefore);
    refuse({ type: 'session.refused' });
    app.send({ type: 'go', to: '/terms', replace: false });
    await flushPromises();
    expect(getScreen(app).getSnapshot().context.ended).toBe(false);
  });

  test('the shop leads from a page for customers to sign-in and back when the session has ended', async () => {
    const { app, visitedPaths, refuse } = openShop('/mylibrary/audio', { restoredUser: customer });
    await flushPromises();
    refuse({ type: 'session.refused' });
    await flushPromises();
    expect(visitedPaths.at(-1)).toBe('/signin?return=%2Fmylibrary%2Faudio&expired=1');
    getFlow(app).send({ type: 'signIn.submitted', pii: { form } } as EventObject);
    await flushPromises();
    expect(visitedPaths.at(-1)).toBe('/mylibrary/audio');
  });

  test('the shop shows a visitor nothing about an ended session', async () => {
    const { app, refuse } = openShop('/about');
    await flushPromises();
    refuse({ type: 'session.refused' });
    await flushPromises();
    expect(getScreen(app).getSnapshot().context.ended).toBe(false);
  });

  test('the shop restarts the current screen for another customer, and not for the same one', async () => {
    const { app } = openShop('/id:1001', { restoredUser: customer });
    await flushPromises();
    const findFlow = () => getScreen(app).getSnapshot().children['flow'];
    const firstFlow = findFlow();
    const signInElsewhere = (userId: string) =>
      app.getSnapshot().children['session']?.send({ type: 'session.startedElsewhere', userId, pii: { email: 'x' } } as never);
    signInElsewhere(customer.userId);
    await flushPromises();
    expect(findFlow()).toBe(firstFlow);
    signInElsewhere('u2');
    await flushPromises();
    expect(findFlow()).not.toBe(firstFlow);
    expect(getFlow(app)).toMatchObject({ id: 'title' });
  });

  test('the shop leads to /invalid when any call finds the store missing', async () => {
    const { app, visitedPaths, refuse } = openShop('/id:1001');
    await flushPromises();
    refuse({ type: 'store.refused' });
    await flushPromises();
    expect(app.getSnapshot().value).toBe('invalid');
    expect(visitedPaths).toEqual(['/id:1001', '/invalid']);
  });

  test('the shop ends the session in this tab when another tab signs out', async () => {
    const { app, visitedPaths } = openShop('/mylibrary', { restoredUser: customer });
    await flushPromises();
    app.getSnapshot().children['session']?.send({ type: 'session.endedElsewhere' } as never);
    await flushPromises();
    expect(visitedPaths.at(-1)).toBe('/signin?return=%2Fmylibrary');
  });
});
